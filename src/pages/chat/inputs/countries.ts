/** The countries of phone numbers: ISO 3166 codes and the calling codes of ITU E.164. */

/**
 * Country codes by calling code, in ascending order. Before each stands how much larger its calling code is
 * than the one before it, where that is more than 1: written out, they were a sixtieth of the script.
 */
const byCallingCode =
  "USCAAGAIASBBBMBSDMDOGDGUJMKNKYLCMPMSPRSXTCTTVCVGVI 6RUKZ 13EG 7ZA 3GR NL BE FR ES 2HU 3ITVA RO CH 2AT GBGGIMJE DK SE NOSJ PL DE 2PE MX CU AR BR CL CO VE 2MY AUCCCX ID PH NZ SG TH 15JP KR 2VN 2CN 4TR IN PK AF LK MM 3IR 113SS MAEH DZ 3TN 2LY 2GM SN MR ML GN CI BF NE TG BJ MU LR SL GH NG TD CF CM CV ST GQ GA CG CD AO GW IO AC SC SD RW ET SO DJ KE TZ UG BI MZ 2ZM MG REYT ZW NA MW LS BW SZ KM 21SHTA ER 6AW FO GL 51GI PT LU IE IS AL MT CY FIAX BG 11LT LV EE MD AM BY AD MC SM 2UA RS ME XK 2HR SI BA 2MK 31CZ SK 2LI 77FK BZ GT SV HN NI CR PA PM HT 81GPBLMF BO GY EC GF PY MQ SR UY CWBQ 71TL 2NF BN NR PG TO SB VU FJ PW WF CK NU 2WS KI NC TV PF TK FM MH 158KP 2HK MO 2KH LA 24BD 6TW 74MV LB JO SY IQ KW SA YE OM 2PS AE IL BH QA BT MN NP 15TJ TM AZ GE KG 2UZ"

type Country = { id: string; name: string; callingCode: string }

/** All countries, sorted by their names in the language of a locale. */
export function listCountries(locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: "region" })
  let callingCode = 0
  const countries = byCallingCode.split(" ").flatMap((line) => {
    callingCode += Number.parseInt(line, 10) || 1
    const ids = line.match(/[A-Z]{2}/g) ?? []
    return ids.map((id) => ({ id, name: names.of(id) ?? id, callingCode: String(callingCode) }))
  })
  return countries.sort((one, other) => one.name.localeCompare(other.name, locale))
}
