// Walks with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	address, token, publicId, botId := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+token)
		return nil
	}
	client := must(NewClientWithResponses(address, WithRequestEditorFn(authorize)))

	format := TextFormatMarkdown
	started := must(client.StartChatWithResponse(ctx, publicId, nil, StartChatJSONRequestBody{TextBubbleContentFormat: &format}))
	var message Message
	if err := message.FromTextMessage(TextMessage{Type: "text", Text: "Ann@Example.com"}); err != nil {
		panic(err)
	}
	step := must(client.ContinueChatWithResponse(ctx, started.JSON200.SessionId, nil, ContinueChatJSONRequestBody{Message: &message}))

	bot := must(client.GetBotWithResponse(ctx, botId, nil)).JSON200.Bot
	same := BotChanges{Groups: &bot.Groups, Edges: &bot.Edges, Variables: &bot.Variables, Events: bot.Events, Theme: &bot.Theme, Settings: &bot.Settings}
	updated := must(client.UpdateBotWithResponse(ctx, botId, nil, UpdateBotJSONRequestBody{Bot: same}))
	if updated.StatusCode() != 200 {
		panic(string(updated.Body))
	}

	refused := must(client.ContinueChatWithResponse(ctx, "nobody0", nil, ContinueChatJSONRequestBody{}))
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"asked": must(started.JSON200.Input.Discriminator()),
		"saved": step.JSON200.LastMessageNewFormat,
		"code":  refused.ApplicationproblemJSON404.Code,
	})
}
