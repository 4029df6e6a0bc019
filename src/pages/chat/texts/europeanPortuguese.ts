/** The built-in texts of the chat in Portuguese as it is written in Portugal. */
import { portuguese } from "./portuguese.ts"
import type { Texts } from "./texts.ts"

export const europeanPortuguese: Texts = {
  ...portuguese,
  yourAnswer: "A sua resposta",
  youSaid: "Disse:",
  typeAnswer: "Escreva a sua resposta…",
  typeNumber: "Escreva um número…",
  typeEmail: "Escreva o seu e-mail…",
  typeUrl: "Escreva um endereço web…",
  teamJoined: "Uma pessoa da equipa está aqui e lê as suas mensagens.",
  skip: "Saltar",
  attach: "Anexar ficheiros",
  attachedFile: "Ficheiro",
  recording: "A gravar",
  noMicrophone: "Não é possível usar o microfone. Permita o acesso ou escreva a sua resposta.",
  dropFiles: "Escolha ficheiros ou arraste-os para aqui",
  upload: "Carregar",
  uploaded: "Carregado",
  uploading: "A carregar {file}",
  fileUploaded: "Ficheiro carregado",
  filesUploaded: "{total} ficheiros carregados",
  uploadFailed: "Não foi possível carregar o ficheiro.",
  paid: "Pagamento efetuado",
  loading: "A carregar…",
  paymentOffline:
    "Não foi possível abrir o formulário de pagamento. Verifique a sua ligação e tente novamente.",
  startAgain: "Recomeçar",
  unavailable: "Este chat não está disponível de momento.",
  notANumber: "Introduza um número.",
  whichNumber: "Escreva {one} ou {other}.",
  notAnAddress: "Introduza um endereço web, por exemplo https://example.com.",
  dateIncomplete: "Indique o dia, o mês e o ano.",
  momentIncomplete: "Indique o dia, o mês, o ano e a hora.",
  timeIncomplete: "Indique as horas e os minutos.",
  tooLong: "O texto é demasiado longo. Encurte a sua resposta.",
  networkTitle: "Problema de ligação",
  networkMessage:
    "Verifique a sua ligação. A sua resposta será enviada assim que a ligação for restabelecida.",
  popupMessage: "O bot quer abrir um novo separador. O seu navegador não o permitiu.",
  popupButton: "Continuar num novo separador",
}
