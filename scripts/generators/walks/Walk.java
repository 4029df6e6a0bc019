/** Walks through a chat and a bot with the Java client of OpenAPI Generator. */
import java.util.List;
import java.util.Map;
import parley.ApiClient;
import parley.api.BotsApi;
import parley.api.ChatApi;
import parley.api.ResultsApi;
import parley.model.*;

public class Walk {
  public static void main(String[] words) throws Exception {
    String publicId = words[1], botId = words[2], token = words[3];
    ApiClient client = new ApiClient();
    client.updateBaseUri(words[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    ChatApi chat = new ChatApi(client);

    StartChatRequest start = new StartChatRequest().textBubbleContentFormat(TextFormat.MARKDOWN);
    StartedChat started = chat.startChat(publicId, null, null, start);
    List<String> labels = started.getInput().getChoiceInput().getItems().stream()
        .map(ChoiceItem::getContent).toList();

    String sent = "{\"message\":{\"type\":\"text\",\"text\":\"" + labels.get(1)
        + "\"},\"textBubbleContentFormat\":\"markdown\"}";
    ContinueChatRequest next = client.getObjectMapper().readValue(sent, ContinueChatRequest.class);
    ChatStep continued = chat.continueChat(started.getSessionId(), null, null, next);
    String said = client.getObjectMapper().valueToTree(continued.getMessages().get(0))
        .at("/content/markdown").asText();
    List<String> answers = new ResultsApi(client)
        .listResults(botId, null, null, null, null, null, null).getResults().get(0).getAnswers()
        .stream().map(Answer::getContent).toList();

    BotsApi bots = new BotsApi(client);
    GetBot200Response read = bots.getBot(botId, null, null);
    Map<String, Object> changed = Map.of("bot", client.getObjectMapper().valueToTree(read.getBot()));
    UpdateBotRequest changes = client.getObjectMapper().convertValue(changed, UpdateBotRequest.class);
    String name = bots.updateBot(botId, null, null, changes).getBot().getName();

    System.out.println(client.getObjectMapper().writeValueAsString(
        Map.of("labels", labels, "text", said, "answers", answers, "name", name)));
  }
}
