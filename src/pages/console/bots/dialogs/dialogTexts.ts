/** The texts of the dialogs of the list of bots. */
import { defineTexts } from "../../shell/texts.ts"

const kinds = (one: string, many: string) => (count: number) =>
  `${count} ${count === 1 ? one : many}`

export const dialogTexts = defineTexts({
  en: {
    close: "Close",
    cancel: "Cancel",
    back: "Back",
    name: "Name",
    save: "Save",
    create: "Create",
    newBot: "New bot",
    unnamed: "My bot",
    starters: "Starters",
    all: "All",
    emptyBot: "From nothing",
    emptyBotWhy: "One start, and room for everything else",
    choose: "Import a file",
    chooseWhy: "Drop it here, or choose it: the export of a bot, JSON",
    useStarter: "Make this bot",
    findings: "Findings",
    checking: "Checking the file…",
    import: "Import",
    importAnyway: "Import anyway",
    otherFile: "Choose another file",
    notJson: (name: string, why: string) => `${name} is not JSON: ${why}`,
    notBot: (name: string) => `${name} holds no bot: a bot is an object in braces`,
    errors: kinds("error", "errors"),
    warnings: kinds("warning", "warnings"),
    error: "Error",
    warning: "Warning",
    noFindings: "No findings: it can be published as it is",
    moreFindings: (count: number) => `and ${count} more`,
    imported: (name: string, count: number) =>
      count === 0
        ? `${name} was imported`
        : `${name} was imported. Left out or shortened: ${count} places`,
    renameBot: "Rename bot",
    renameFolder: "Rename folder",
    newFolder: "New folder",
    moveBots: (count: number) => (count === 1 ? "Move bot" : `Move ${count} bots`),
    moveFolder: (name: string) => `Move the folder ${name}`,
    moveTo: "Move to",
    move: "Move",
    root: "No folder",
    removeBots: (names: readonly string[]) =>
      names.length === 1 ? `Move ${names[0]} to the bin?` : `Move ${names.length} bots to the bin?`,
    removeBotsWhy:
      "Open chats end, and the address leads nowhere. Everything comes back when you restore it from the bin, which says until when.",
    remove: "Move to the bin",
    removeFolder: (name: string) => `Delete the folder ${name}?`,
    removeFolderWhy: "What is in it moves to the folder around it. No bot is deleted.",
    delete: "Delete",
  },
  de: {
    close: "Schließen",
    cancel: "Abbrechen",
    back: "Zurück",
    name: "Name",
    save: "Speichern",
    create: "Anlegen",
    newBot: "Neuer Bot",
    unnamed: "Mein Bot",
    starters: "Vorlagen",
    all: "Alle",
    emptyBot: "Leer beginnen",
    emptyBotWhy: "Ein Start, und Platz für alles andere",
    choose: "Datei importieren",
    chooseWhy: "Zieh sie hierher oder wähle sie aus: der Export eines Bots, JSON",
    useStarter: "Diesen Bot anlegen",
    findings: "Befunde",
    checking: "Die Datei wird geprüft …",
    import: "Importieren",
    importAnyway: "Trotzdem importieren",
    otherFile: "Andere Datei wählen",
    notJson: (name: string, why: string) => `${name} ist kein JSON: ${why}`,
    notBot: (name: string) =>
      `${name} enthält keinen Bot: Ein Bot ist ein Objekt in geschweiften Klammern`,
    errors: kinds("Fehler", "Fehler"),
    warnings: kinds("Warnung", "Warnungen"),
    error: "Fehler",
    warning: "Warnung",
    noFindings: "Keine Befunde: Der Bot kann so veröffentlicht werden",
    moreFindings: (count: number) => `und ${count} weitere`,
    imported: (name: string, count: number) =>
      count === 0
        ? `${name} ist importiert`
        : `${name} ist importiert. Weggelassen oder gekürzt: ${count} Stellen`,
    renameBot: "Bot umbenennen",
    renameFolder: "Ordner umbenennen",
    newFolder: "Neuer Ordner",
    moveBots: (count: number) => (count === 1 ? "Bot verschieben" : `${count} Bots verschieben`),
    moveFolder: (name: string) => `Den Ordner ${name} verschieben`,
    moveTo: "Verschieben nach",
    move: "Verschieben",
    root: "Kein Ordner",
    removeBots: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} in den Papierkorb legen?`
        : `${names.length} Bots in den Papierkorb legen?`,
    removeBotsWhy:
      "Laufende Chats enden, und die Adresse führt nirgendwohin. Alles kommt zurück, wenn du es aus dem Papierkorb wiederherstellst. Dort steht, bis wann das geht.",
    remove: "In den Papierkorb",
    removeFolder: (name: string) => `Den Ordner ${name} löschen?`,
    removeFolderWhy: "Was darin ist, kommt in den Ordner darüber. Es wird kein Bot gelöscht.",
    delete: "Löschen",
  },
})
