/** The few options of curl that the README uses, so that its lines run where curl is not installed. */
const args = process.argv.slice(2)
const headers = {}
let method = "GET"
let url = ""
let body
for (let index = 0; index < args.length; index++) {
  const argument = args[index]
  if (argument === "-s") continue
  else if (argument === "-X") method = args[++index]
  else if (argument === "-d") body = args[++index]
  else if (argument === "-H") {
    const [name, ...value] = args[++index].split(":")
    headers[name] = value.join(":").trim()
  } else url = argument
}
const response = await fetch(url, { method, headers, body })
process.stdout.write(await response.text())
