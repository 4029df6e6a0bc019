/** Which test shows what each field of seed.json does, by the shape that the field is in. */

/** Fields by the test that shows them: its file, its title or a part of it, and `Shape: fields`. */
export const shownBy: readonly (readonly [file: string, title: string, fields: string])[] = [
  // Flows
  [
    "conversations/walking",
    "starts where the edge of the start event leads",
    "Event: id outgoingEdgeId type",
  ],
  [
    "conversations/walking",
    "goes from group to group until something is asked",
    "Group: id blocks; Block: id type outgoingEdgeId; Edge: id to.groupId",
  ],
  ["conversations/walking", "begins at the block that the edge names", "Edge: to.blockId"],
  [
    "src/engine/edit/laws",
    "edges leave at the places that block types declare",
    "Edge: from.blockId from.itemId from.pathId",
  ],
  [
    "conversations/jumpsAndCommands",
    "jumps to the group whose title a variable holds",
    "Group: title",
  ],
  [
    "conversations/results",
    "holds every value that is set, except those of session variables",
    "Variable: id name isSessionVariable",
  ],
  [
    "conversations/variables",
    "replace defaults, are normalised, and unknown names are ignored",
    "Variable: value",
  ],
  [
    "contract/seedLive",
    "what was changed reads back as it was sent",
    "Coordinates: x y; Event: graphCoordinates; Group: graphCoordinates; Block: label",
  ],
  // Themes
  [
    "src/pages/chat/theme/theme",
    "looks different without %s",
    `Border: thickness color roundeness customRoundeness opacity;
     BoxStyle: backgroundColor color blur opacity shadow border;
     Theme: general.font general.background.type general.background.content
       general.progressBar.color general.progressBar.backgroundColor general.progressBar.thickness
       chat.container.maxWidth chat.container.maxHeight chat.hostAvatar chat.guestAvatar chat.hostBubbles
       chat.guestBubbles chat.buttons chat.inputs.placeholderColor chat.roundness;
     Avatar: isEnabled`,
  ],
  ["src/pages/chat/theme/theme", "looks different with another avatar of the bot", "Avatar: url"],
  [
    "pages/authorsLook",
    "a progress bar, at its edge",
    "Theme: general.progressBar.isEnabled general.progressBar.placement general.progressBar.position",
  ],
  [
    "pages/authorsLook",
    "choices in a column, and styles of its own",
    "Theme: chat.buttonsInput.layout customCss",
  ],
  // Settings
  ["pages/authorsLook", "the badge, or none", "Settings: general.isBrandingEnabled"],
  [
    "src/pages/chat/talk/typing",
    "it takes %s",
    `Settings: general.isTypingEmulationEnabled typingEmulation.enabled typingEmulation.speed typingEmulation.maxDelay
       typingEmulation.delayBetweenBubbles typingEmulation.isDisabledOnFirstMessage`,
  ],
  [
    "pages/asked",
    "shows a known value only where the author wants it",
    "Settings: general.isInputPrefillEnabled",
  ],
  [
    "pages/surviving",
    "a continued page has the title of the bot and hides the query",
    "Settings: general.isHideQueryParamsEnabled metadata.title",
  ],
  [
    "pages/authorsLook",
    "remembers people as long as it should",
    "Settings: general.isNewResultOnRefreshEnabled general.rememberUser.isEnabled general.rememberUser.storage",
  ],
  [
    "conversations/response",
    "says the block's own text, else that of the type, else that of the bot, else ours",
    "Settings: general.systemMessages.invalidMessage",
  ],
  [
    "api/startChat",
    "turns people away from a closed bot with its own words",
    "Settings: general.systemMessages.botClosed; Bot: isClosed",
  ],
  [
    "pages/authorsLook",
    "its words where the browser opens no tab",
    "Settings: general.systemMessages.popupBlockedDescription general.systemMessages.popupBlockedButtonLabel",
  ],
  [
    "pages/authorsLook",
    "its words where a file is not taken",
    "Settings: general.systemMessages.fileUploadError general.systemMessages.fileUploadSizeError",
  ],
  [
    "api/chatPage",
    "has the bot's title, description, picture and owner, each as a text",
    "Settings: metadata.description metadata.imageUrl",
  ],
  [
    "api/chatPage",
    "has the icon of its settings, else that of the bot, else ours",
    "Settings: metadata.favIconUrl; Bot: icon",
  ],
  [
    "conversations/starting",
    "start props come first among the actions of a live chat",
    "Settings: metadata.customHeadCode metadata.googleTagManagerId",
  ],
  [
    "api/botAccess",
    "allows reading with any token, and writing to its editors only",
    "Settings: publicShare.isEnabled",
  ],
  [
    "api/startChat",
    "lets listed pages and servers in, and no other page",
    "Settings: security.allowedOrigins",
  ],
  [
    "api/exportedResults",
    "is ordered and cut as the bot prefers",
    "ResultsTablePreferences: columnsOrder columnsVisibility; Bot: resultsTablePreferences",
  ],
  [
    "api/newBots",
    "keeps the widths of columns in a file, in changes and in what is read",
    "ResultsTablePreferences: columnsWidth",
  ],
  // Chats
  [
    "conversations/response",
    "is sent when it differs, and not with retries, skips and reports",
    "Step: lastMessageNewFormat",
  ],
  [
    "conversations/response",
    "carry the id of their block and nothing of its edge",
    "Step: messages[].id messages[].type",
  ],
  [
    "conversations/response",
    "are rich text, or Markdown when that was asked for",
    "Step: messages[].content.type messages[].content.richText",
  ],
  [
    "conversations/response",
    "is the block with its variables, and what its variable holds",
    "Step: input.id input.type input.outgoingEdgeId input.options.variableId input.prefilledValue",
  ],
  [
    "contract/seedLive",
    "answers with every field",
    "Step: input.options.labels.placeholder input.options.labels.button input.options.isLong",
  ],
  [
    "api/uploads",
    "a voice clip and attachments of a text input have rules of their own",
    "Step: input.options.audioClip input.options.attachments; RuntimeUploads: isEnabled visibility",
  ],
  [
    "conversations/answers",
    "a voice clip is saved on its own and leaves the linked variable alone",
    "RuntimeUploads: saveVariableId",
  ],
  [
    "src/engine/blocks/inputs/paymentInput/block",
    "asks with the payment's data for the client, and remembers the payment",
    "Step: input.runtimeOptions.paymentIntentSecret input.runtimeOptions.amountLabel input.runtimeOptions.publicKey",
  ],
  [
    "conversations/variables",
    "is sent with the variables that it mentions, by their ids and with their types",
    "Step: clientSideActions[].type clientSideActions[].scriptToExecute.content clientSideActions[].scriptToExecute.args[].id clientSideActions[].scriptToExecute.args[].value",
  ],
  [
    "contract/seedLive",
    "a script whose result is a value says whether the author wrote it as code",
    "Step: clientSideActions[].scriptToExecute.isCode clientSideActions[].expectsDedicatedReply",
  ],
  [
    "conversations/response",
    "know the last bubble of this answer, not of earlier ones",
    "Step: clientSideActions[].lastBubbleBlockId",
  ],
  [
    "conversations/response",
    "that may hold secrets stay in a live house",
    "Step: logs[].status logs[].description logs[].context",
  ],
  ["conversations/response", "have their details cut to 1000 characters", "Step: logs[].details"],
  [
    "conversations/starting",
    "travels with every answer and follows the variables",
    "Step: dynamicTheme.hostAvatarUrl dynamicTheme.guestAvatarUrl dynamicTheme.backgroundUrl",
  ],
  [
    "conversations/progress",
    "counts each input once, along all edges and through the rest of the group",
    "Step: progress",
  ],
  [
    "conversations/answers",
    "attached files are saved beside it: one as a text, several as a list",
    "Message: type text attachedFileUrls",
  ],
  // Bots
  [
    "api/newBots",
    "makes a new bot with the ids of the file and none of its standing",
    "Bot: id name events groups edges variables theme settings workspaceId createdAt",
  ],
  [
    "api/botChanges",
    "is shown as stored, or converted when asked, and changed as what it is",
    "Bot: version",
  ],
  [
    "api/themeTemplates",
    "is given a look as a whole, keeps its avatars, and says which template it was",
    "Bot: selectedThemeTemplateId",
  ],
  ["api/botChanges", "lets the first of two equal readers write", "Bot: updatedAt"],
  ["api/botChanges", "moves into folders of its workspace only", "Bot: folderId"],
  ["api/botChanges", "is unique, follows the rules, and may stay what it was", "Bot: publicId"],
  ["api/servedDomains", "has the page of the bot, its parts and a whole chat", "Bot: customDomain"],
  ["api/publishing", "for good archives, unpublishes, and frees the address", "Bot: isArchived"],
  [
    "api/ratings",
    "waits for an operator, who sees what was found and lets it be published",
    "Bot: riskLevel",
  ],
  [
    "api/publishing",
    "keeps the id of the publication until the bot is unpublished",
    "PublishedBot: id createdAt updatedAt botId",
  ],
  [
    "api/publishing",
    "stores the version of the draft and converts only when asked",
    "PublishedBot: version groups events edges variables theme settings",
  ],
  [
    "api/startChat",
    "gives a session without a hyphen, the result and the bot",
    "RuntimeBot: id version theme settings publishedAt",
  ],
  // Workspaces
  [
    "api/workspaces",
    "makes the caller its admin on the default plan",
    "NewWorkspace: id name icon createdAt updatedAt",
  ],
  [
    "api/stripe",
    "a subscription gives the plan that its price names, and takes it when it ends",
    "NewWorkspace: stripeId plan isPastDue",
  ],
  [
    "api/groupTitles",
    "gets one by the model, prompt and credential of the workspace",
    `NewWorkspace: settings.groupTitlesAutoGeneration.isEnabled settings.groupTitlesAutoGeneration.provider
       settings.groupTitlesAutoGeneration.credentialsId settings.groupTitlesAutoGeneration.model
       settings.groupTitlesAutoGeneration.prompt`,
  ],
  ["api/operators", "that is suspended takes no chats in any process", "NewWorkspace: isSuspended"],
  ["api/operators", "at risk waits for a verified workspace", "NewWorkspace: isVerified"],
  [
    "api/operators",
    "is closed by a limit at once, and opened at once when null lifts it",
    "NewWorkspace: chatsHardLimit",
  ],
  [
    "api/operators",
    "has the limits of its plan without its own",
    "Workspace: customChatsLimit customSeatsLimit",
  ],
  [
    "jobs/inactivity",
    "gets a letter, another a third of the time later",
    "NewWorkspace: inactiveFirstEmailSentAt inactiveSecondEmailSentAt",
  ],
  [
    "api/workspaces",
    "a bot made in it counts as activity, at most once a day",
    "NewWorkspace: lastActivityAt",
  ],
  // Results
  [
    "api/results",
    "a result is read with its variables and answers",
    "Result: id createdAt botId variables lastChatSessionId answers[].blockId answers[].content answers[].attachedFileUrls",
  ],
  [
    "api/resultSpans",
    "a completed result says when its last answer was given",
    "Result: isCompleted",
  ],
  [
    "api/results",
    "only started results that are not archived are listed",
    "Result: hasStarted isArchived",
  ],
  // Requests
  ["api/templates", "makes a bot", "importBot: fromTemplate"],
  [
    "api/streams",
    "the client reads the answer, then sends it back and is not shown it again",
    "startChat: isStreamEnabled; startPreviewChat: isStreamEnabled",
  ],
  [
    "api/startChat",
    "goes on with the earlier result where the bot remembers",
    "startChat: resultId",
  ],
  [
    "api/startChat",
    "only registers on request, and starts with the first message",
    "startChat: isOnlyRegistering; startPreviewChat: isOnlyRegistering",
  ],
  [
    "api/startChat",
    "accepts any prefilled value and names that the bot does not know",
    "startChat: prefilledVariables; startPreviewChat: prefilledVariables",
  ],
  [
    "api/startChat",
    "answers the first input with the message of the start",
    "startChat: message; startPreviewChat: message",
  ],
  [
    "conversations/response",
    "are rich text, or Markdown when that was asked for",
    "startChat: textBubbleContentFormat; continueChat: textBubbleContentFormat; startPreviewChat: textBubbleContentFormat",
  ],
  [
    "conversations/replies",
    "are judged by the id that a client sends along",
    "continueChat: message",
  ],
  [
    "api/previews",
    "begins at a group or an event, and refuses unknown ones",
    "startPreviewChat: startFrom",
  ],
  [
    "api/previews",
    "has the id that its caller gives, of at least 20 characters",
    "startPreviewChat: sessionId",
  ],
]

/** Fields without an effect, and why. */
export const withoutEffect: Readonly<Record<string, string>> = {
  "Settings.whatsApp": "the channel is not there yet",
  "Settings.general.systemMessages.whatsAppPictureChoiceSelectLabel":
    "the channel is not there yet",
  "Bot.whatsAppCredentialsId": "the channel is not there yet",
}
