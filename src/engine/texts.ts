/** Built-in texts of a chat and its page, in every language. */
import type { Language } from "../lib/languages.ts"

const english = {
  invalidMessage: "That answer is not valid. Please try again.",
  invalidEmail: "This does not look like an email address. Could you type it again?",
  paymentFailed: "The payment did not go through. Please try again.",
  paymentImpossible: "Payment is not possible right now.",
  paymentUnchecked: "Your payment could not be confirmed yet. You do not have to pay again.",
  tryAgain: "Try again",
  botClosed: "This bot is closed.",
  noSuchChat: "Chat not found",
  hasMoved: "Perhaps its address has changed.",
  siteNotAllowed: "This chat is not allowed on this website.",
  needsScript: "This chat needs JavaScript.",
}

export type TextName = keyof typeof english

const catalogues: Readonly<Record<Language, Readonly<Record<TextName, string>>>> = {
  en: english,
  de: {
    invalidMessage: "Diese Antwort ist nicht gültig. Bitte versuchen Sie es noch einmal.",
    invalidEmail:
      "Das sieht nicht nach einer E-Mail-Adresse aus. Bitte geben Sie sie noch einmal ein.",
    paymentFailed: "Die Zahlung ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.",
    paymentImpossible: "Eine Zahlung ist im Moment nicht möglich.",
    paymentUnchecked:
      "Ihre Zahlung konnte noch nicht bestätigt werden. Sie müssen nicht noch einmal bezahlen.",
    tryAgain: "Erneut versuchen",
    botClosed: "Dieser Bot ist geschlossen.",
    noSuchChat: "Diesen Chat gibt es nicht",
    hasMoved: "Vielleicht hat sich seine Adresse geändert.",
    siteNotAllowed: "Dieser Chat ist auf dieser Website nicht zugelassen.",
    needsScript: "Dieser Chat benötigt JavaScript.",
  },
  fr: {
    invalidMessage: "Cette réponse n’est pas valide. Veuillez réessayer.",
    invalidEmail:
      "Cela ne ressemble pas à une adresse e-mail. Pouvez-vous la saisir à nouveau\u00a0?",
    paymentFailed: "Le paiement n’a pas abouti. Veuillez réessayer.",
    paymentImpossible: "Le paiement n’est pas possible pour le moment.",
    paymentUnchecked:
      "Votre paiement n’a pas encore pu être confirmé. Vous n’avez pas à payer une seconde fois.",
    tryAgain: "Réessayer",
    botClosed: "Ce bot est fermé.",
    noSuchChat: "Ce chat n’existe pas",
    hasMoved: "Son adresse a peut-être changé.",
    siteNotAllowed: "Ce chat n’est pas autorisé sur ce site web.",
    needsScript: "Ce chat nécessite JavaScript.",
  },
  es: {
    invalidMessage: "Esa respuesta no es válida. Inténtelo de nuevo.",
    invalidEmail:
      "Esto no parece una dirección de correo electrónico. ¿Podría escribirla de nuevo?",
    paymentFailed: "No se pudo realizar el pago. Inténtelo de nuevo.",
    paymentImpossible: "No es posible pagar en este momento.",
    paymentUnchecked: "Todavía no se pudo confirmar su pago. No es necesario que pague de nuevo.",
    tryAgain: "Intentar de nuevo",
    botClosed: "Este bot está cerrado.",
    noSuchChat: "Este chat no existe",
    hasMoved: "Es posible que su dirección haya cambiado.",
    siteNotAllowed: "Este chat no está permitido en este sitio web.",
    needsScript: "Este chat necesita JavaScript.",
  },
  pt: {
    invalidMessage: "Essa resposta não é válida. Tente novamente.",
    invalidEmail: "Isso não parece um endereço de e-mail. Pode escrevê-lo novamente?",
    paymentFailed: "O pagamento não foi concluído. Tente novamente.",
    paymentImpossible: "Não é possível pagar no momento.",
    paymentUnchecked:
      "Ainda não foi possível confirmar o seu pagamento. Não é necessário pagar novamente.",
    tryAgain: "Tentar novamente",
    botClosed: "Este bot está fechado.",
    noSuchChat: "Este chat não existe",
    hasMoved: "Talvez o endereço tenha mudado.",
    siteNotAllowed: "Este chat não é permitido neste site.",
    needsScript: "Este chat precisa de JavaScript.",
  },
  it: {
    invalidMessage: "Questa risposta non è valida. Riprovi, per favore.",
    invalidEmail: "Questo non sembra un indirizzo e-mail. Può scriverlo di nuovo?",
    paymentFailed: "Il pagamento non è andato a buon fine. Riprovi, per favore.",
    paymentImpossible: "Al momento non è possibile pagare.",
    paymentUnchecked:
      "Non è stato ancora possibile confermare il pagamento. Non è necessario pagare di nuovo.",
    tryAgain: "Riprova",
    botClosed: "Questo bot è chiuso.",
    noSuchChat: "Questa chat non esiste",
    hasMoved: "Forse il suo indirizzo è cambiato.",
    siteNotAllowed: "Questa chat non è consentita su questo sito web.",
    needsScript: "Questa chat richiede JavaScript.",
  },
  nl: {
    invalidMessage: "Dat antwoord is niet geldig. Probeer het opnieuw.",
    invalidEmail: "Dit lijkt geen e-mailadres te zijn. Kun je het nog een keer typen?",
    paymentFailed: "De betaling is niet gelukt. Probeer het opnieuw.",
    paymentImpossible: "Betalen is op dit moment niet mogelijk.",
    paymentUnchecked:
      "Je betaling kon nog niet worden bevestigd. Je hoeft niet opnieuw te betalen.",
    tryAgain: "Opnieuw proberen",
    botClosed: "Deze bot is gesloten.",
    noSuchChat: "Deze chat bestaat niet",
    hasMoved: "Misschien is het adres veranderd.",
    siteNotAllowed: "Deze chat is niet toegestaan op deze website.",
    needsScript: "Deze chat heeft JavaScript nodig.",
  },
  pl: {
    invalidMessage: "Ta odpowiedź jest nieprawidłowa. Spróbuj ponownie.",
    invalidEmail: "To nie wygląda na adres e-mail. Wpisz go jeszcze raz.",
    paymentFailed: "Płatność się nie powiodła. Spróbuj ponownie.",
    paymentImpossible: "Płatność nie jest w tej chwili możliwa.",
    paymentUnchecked: "Nie udało się jeszcze potwierdzić płatności. Nie trzeba płacić ponownie.",
    tryAgain: "Spróbuj ponownie",
    botClosed: "Ten bot jest zamknięty.",
    noSuchChat: "Nie ma takiego czatu",
    hasMoved: "Być może zmienił się jego adres.",
    siteNotAllowed: "Ten czat nie jest dozwolony w tej witrynie.",
    needsScript: "Ten czat wymaga JavaScriptu.",
  },
  ar: {
    invalidMessage: "هذه الإجابة غير صالحة. يُرجى المحاولة مرة أخرى.",
    invalidEmail: "لا يبدو هذا عنوان بريد إلكتروني. هل يمكنك كتابته مرة أخرى؟",
    paymentFailed: "لم تتم عملية الدفع. يُرجى المحاولة مرة أخرى.",
    paymentImpossible: "الدفع غير متاح حاليًا.",
    paymentUnchecked: "لم نتمكن من تأكيد الدفع بعد. لا داعي للدفع مرة أخرى.",
    tryAgain: "إعادة المحاولة",
    botClosed: "هذا البوت مغلق.",
    noSuchChat: "هذه الدردشة غير موجودة",
    hasMoved: "ربما تغيّر عنوانها.",
    siteNotAllowed: "هذه الدردشة غير مسموح بها على هذا الموقع.",
    needsScript: "تتطلب هذه الدردشة JavaScript.",
  },
  he: {
    invalidMessage: "התשובה אינה תקינה. אפשר לנסות שוב.",
    invalidEmail: "זו לא נראית כתובת אימייל. אפשר להקליד אותה שוב?",
    paymentFailed: "התשלום לא הושלם. אפשר לנסות שוב.",
    paymentImpossible: "לא ניתן לשלם כרגע.",
    paymentUnchecked: "עדיין לא ניתן היה לאשר את התשלום. אין צורך לשלם שוב.",
    tryAgain: "ניסיון נוסף",
    botClosed: "הבוט הזה סגור.",
    noSuchChat: "הצ׳אט הזה לא קיים",
    hasMoved: "ייתכן שהכתובת שלו השתנתה.",
    siteNotAllowed: "הצ׳אט הזה אינו מורשה באתר זה.",
    needsScript: "הצ׳אט הזה דורש JavaScript.",
  },
  ja: {
    invalidMessage: "入力内容が正しくありません。もう一度お試しください。",
    invalidEmail: "メールアドレスの形式が正しくないようです。もう一度入力していただけますか？",
    paymentFailed: "お支払いが完了しませんでした。もう一度お試しください。",
    paymentImpossible: "現在、お支払いをご利用いただけません。",
    paymentUnchecked:
      "お支払いをまだ確認できていません。もう一度お支払いいただく必要はありません。",
    tryAgain: "もう一度試す",
    botClosed: "このボットは現在ご利用いただけません。",
    noSuchChat: "このチャットは見つかりません",
    hasMoved: "アドレスが変更された可能性があります。",
    siteNotAllowed: "このチャットは、このウェブサイトではご利用いただけません。",
    needsScript: "このチャットの利用には JavaScript が必要です。",
  },
  zh: {
    invalidMessage: "您的回答无效，请重试。",
    invalidEmail: "这似乎不是有效的邮箱地址，请重新输入。",
    paymentFailed: "付款未成功，请重试。",
    paymentImpossible: "目前无法付款。",
    paymentUnchecked: "您的付款尚未得到确认，无需再次付款。",
    tryAgain: "重试",
    botClosed: "此机器人已关闭。",
    noSuchChat: "此聊天不存在",
    hasMoved: "其网址可能已更改。",
    siteNotAllowed: "此网站不允许使用此聊天。",
    needsScript: "此聊天需要启用 JavaScript。",
  },
}

/** The texts in a language; absent: English. */
export function textsIn(language: Language = "en"): Readonly<Record<TextName, string>> {
  return catalogues[language]
}
