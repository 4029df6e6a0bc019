// Walks through a chat and a bot with the Go client of OpenAPI Generator.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.com/parley"
)

func main() {
	address, publicId, botId, token := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	configuration := parley.NewConfiguration()
	configuration.Servers = parley.ServerConfigurations{{URL: address}}
	client := parley.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), parley.ContextAccessToken, token)

	start := parley.StartChatRequest{}
	must(json.Unmarshal([]byte(`{"textBubbleContentFormat":"markdown"}`), &start))
	started, _, err := client.ChatAPI.StartChat(ctx, publicId).StartChatRequest(start).Execute()
	must(err)
	labels := []string{}
	for _, item := range started.Input.ChoiceInput.Items {
		labels = append(labels, item.GetContent())
	}

	next := parley.ContinueChatRequest{}
	message := fmt.Sprintf(`{"message":{"type":"text","text":%q},"textBubbleContentFormat":"markdown"}`, labels[1])
	must(json.Unmarshal([]byte(message), &next))
	continued, _, err := client.ChatAPI.ContinueChat(ctx, started.SessionId).ContinueChatRequest(next).Execute()
	must(err)
	said := struct{ Content struct{ Markdown string } }{}
	convert(continued.Messages[0], &said)

	listed, _, err := client.ResultsAPI.ListResults(ctx, botId).Execute()
	must(err)
	answers := []string{}
	for _, answer := range listed.Results[0].Answers {
		answers = append(answers, answer.Content)
	}

	read, _, err := client.BotsAPI.GetBot(ctx, botId).Execute()
	must(err)
	changes := parley.UpdateBotRequest{}
	convert(map[string]any{"bot": read.Bot}, &changes)
	updated, _, err := client.BotsAPI.UpdateBot(ctx, botId).UpdateBotRequest(changes).Execute()
	must(err)

	printed, err := json.Marshal(map[string]any{
		"labels": labels, "text": said.Content.Markdown, "answers": answers, "name": updated.Bot.Name,
	})
	must(err)
	fmt.Println(string(printed))
}

func convert(from any, to any) {
	text, err := json.Marshal(from)
	must(err)
	must(json.Unmarshal(text, to))
}

func must(err error) {
	if err != nil {
		if refused, ok := err.(*parley.GenericOpenAPIError); ok {
			fmt.Fprintln(os.Stderr, string(refused.Body()))
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
