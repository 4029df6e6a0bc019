/** Walks with the client that openapi-generator makes for Java. */
package org.openapitools.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.openapitools.client.api.BotsApi;
import org.openapitools.client.api.ChatApi;
import org.openapitools.client.model.*;

public class Walk {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(words[0]);
    client.setRequestInterceptor(r -> r.header("authorization", "Bearer " + words[1]));
    ChatApi chat = new ChatApi(client);
    BotsApi bots = new BotsApi(client);

    StartedChat started = chat.startChat(words[2], null, null, new StartChatRequest().textBubbleContentFormat(TextFormat.MARKDOWN));
    Message message = new Message(new TextMessage().type(TextMessage.TypeEnum.TEXT).text("Ann@Example.com"));
    ChatStep step = chat.continueChat(started.getSessionId(), null, null, new ContinueChatRequest().message(message));

    Bot bot = bots.getBot(words[3], null, null).getBot();
    BotChanges same = new BotChanges().groups(bot.getGroups()).edges(bot.getEdges()).variables(bot.getVariables())
        .events(bot.getEvents()).theme(bot.getTheme()).settings(bot.getSettings());
    bots.updateBot(words[3], new UpdateBotRequest().bot(same), null);

    String code = "";
    try {
      chat.continueChat("nobody0", null, null, new ContinueChatRequest());
    } catch (ApiException refused) {
      code = new ObjectMapper().readTree(refused.getResponseBody()).get("code").asText();
    }
    String asked = new ObjectMapper().valueToTree(started.getInput()).get("type").asText();
    System.out.printf("{\"asked\":\"%s\",\"saved\":\"%s\",\"code\":\"%s\"}%n", asked, step.getLastMessageNewFormat(), code);
  }
}
