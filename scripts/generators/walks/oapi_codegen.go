// Walks through a chat and a bot with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/parley"
)

func main() {
	address, publicId, botId, token := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := parley.NewClientWithResponses(address, parley.WithRequestEditorFn(authorize))
	must(err, nil)

	start := parley.StartChatJSONRequestBody{}
	convert(map[string]any{"textBubbleContentFormat": "markdown"}, &start)
	started, err := client.StartChatWithResponse(ctx, publicId, &parley.StartChatParams{}, start)
	must(err, started.Body)
	choice, err := started.JSON200.Input.AsChoiceInput()
	must(err, nil)
	labels := []string{}
	for _, item := range *choice.Items {
		labels = append(labels, *item.Content)
	}

	next := parley.ContinueChatJSONRequestBody{}
	message := map[string]any{"type": "text", "text": labels[1]}
	convert(map[string]any{"message": message, "textBubbleContentFormat": "markdown"}, &next)
	continued, err := client.ContinueChatWithResponse(ctx, started.JSON200.SessionId, &parley.ContinueChatParams{}, next)
	must(err, continued.Body)
	said := struct{ Content struct{ Markdown string } }{}
	convert(continued.JSON200.Messages[0], &said)

	listed, err := client.ListResultsWithResponse(ctx, botId, &parley.ListResultsParams{})
	must(err, listed.Body)
	answers := []string{}
	for _, answer := range listed.JSON200.Results[0].Answers {
		answers = append(answers, answer.Content)
	}

	read, err := client.GetBotWithResponse(ctx, botId, &parley.GetBotParams{})
	must(err, read.Body)
	changes := parley.UpdateBotJSONRequestBody{}
	convert(map[string]any{"bot": read.JSON200.Bot}, &changes)
	updated, err := client.UpdateBotWithResponse(ctx, botId, &parley.UpdateBotParams{}, changes)
	must(err, updated.Body)
	if updated.JSON200 == nil {
		must(fmt.Errorf("not updated"), updated.Body)
	}

	printed, err := json.Marshal(map[string]any{
		"labels": labels, "text": said.Content.Markdown, "answers": answers, "name": updated.JSON200.Bot.Name,
	})
	must(err, nil)
	fmt.Println(string(printed))
}

func convert(from any, to any) {
	text, err := json.Marshal(from)
	must(err, nil)
	must(json.Unmarshal(text, to), text)
}

func must(err error, body []byte) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err, string(body))
		os.Exit(1)
	}
}
