// OpenCode's side of Herma. It hands over what the host tells and puts the answers where the host takes them;
// everything is decided by `herma rpc`, which it starts on first use. Nothing here may cost the user a turn.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { isAbsolute } from "node:path"

const [ID, PROTOCOL] = ["opencode-hermes", 1]
const SECONDS = { hello: 10, tool: 15, other: 2 }
const BACK_OFF = { first: 1, most: 300 } // seconds, doubled with each failure in a row
const TELL_EVERY = 600 // seconds between two lines that a person sees
const MOST = { waiting: 4_194_304, base: 262_144, sessions: 1_024 } // bytes not taken yet, characters, entries
const TALKING = ["run", "serve", "web", "acp"] // where a line on stderr disturbs no picture
const OTHER = "this herma is of another version; run `herma setup --host opencode`"
const NO_TOOL = (name) => `{"success":false,"error":"${name} is out of reach; take nothing as saved or found. Go on."}`

const within = (seconds, promise) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
// An exception in a hook would cost the user a turn.
const calm = (hook) => (...given) => Promise.resolve(given).then((all) => hook(...all)).catch(() => undefined)

// HERMA_COMMAND, else what `herma setup` wrote beside this file. Never a name to be looked up: the working folder is
// the project's, and what lies in there is not ours.
function command() {
  let path = process.env.HERMA_COMMAND
  try {
    path ||= JSON.parse(readFileSync(new URL("./command.json", import.meta.url), "utf8")).python
  } catch {}
  if (!path) throw new Error("HERMA_COMMAND is not set, and `herma setup --host opencode` was not run")
  if (!isAbsolute(path)) throw new Error("HERMA_COMMAND is not an absolute path")
  return /python[0-9.]*$/.test(path) ? [path, ["-I", "-m", "herma", "rpc"]] : [path, ["rpc"]]
}

// The one sidecar of this process, however many instances of the plugin share it.
class Sidecar {
  voices = new Set()
  failures = 0
  notBefore = 0
  toldAt = -Infinity
  join(voice) {
    this.voices.add(voice)
    return () => {
      if (!this.voices.delete(voice) || this.voices.size) return
      this.child = this.child?.stdin.end() && null // it leaves by itself
    }
  }

  // The answer, or undefined where there is none: never an exception, and never later than its deadline.
  async call(method, params, again = method !== "tool") {
    try {
      if (!this.child) {
        if (performance.now() < this.notBefore) return undefined
        await (this.starting ??= this.start().finally(() => (this.starting = null)))
      }
      const answer = method === "hello" ? this.about : await this.ask(this.child, method, params)
      if (method !== "hello") this.failures = 0
      return answer
    } catch (error) {
      if (error.dead && again) return this.call(method, params, false) // it had ended before this was asked
      this.failed(error)
    }
  }

  async start() {
    const [program, args] = command()
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PYTHON")))
    const options = { cwd: "/", env: { ...env, PYTHONSAFEPATH: "1" }, stdio: ["pipe", "pipe", "ignore"] }
    const child = Object.assign(spawn(program, args, options), { waiting: new Map(), count: 0, rest: "" })
    const gone = (why) => {
      if (this.child === child) this.child = null
      for (const { reject } of child.waiting.values()) reject(Object.assign(new Error(why), { dead: child.served }))
    }
    child.on("error", ({ code }) => gone(`${program} cannot be started (${code})`))
    child.on("exit", (code, signal) => gone(`the sidecar ended (${signal ?? code})`))
    child.stdin.on("error", () => gone("the sidecar closed its pipe"))
    child.stdout.setEncoding("utf8").on("data", (text) => heard(child, text))
    const about = await this.ask(child, "hello", { protocol: PROTOCOL })
    if (about?.protocol !== PROTOCOL) throw Object.assign(new Error(OTHER), { child })
    Object.assign(this, { child: Object.assign(child, { served: true }), about })
  }
  async ask(child, method, params) {
    const id = ++child.count
    const answer = new Promise((resolve, reject) => child.waiting.set(id, { resolve, reject }))
    try {
      if (child.stdin.writableLength > MOST.waiting) throw new Error("the sidecar does not read")
      child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n")
      return await within(SECONDS[method] ?? SECONDS.other, answer)
    } catch (error) {
      throw Object.assign(error, { child })
    } finally {
      child.waiting.delete(id)
    }
  }

  // What does not answer is ended, and the next start waits, longer each time. A refusal ends what is not in use yet.
  failed({ message, child, refusal }) {
    this.tell(`${message}; memory is off for now, and \`herma doctor --host opencode\` says more`)
    if (child?.failed || (refusal && child === this.child)) return
    if (this.child === child) this.child = null
    if (child) child.failed = child.kill("SIGKILL") || true
    this.notBefore = performance.now() + 1000 * Math.min(BACK_OFF.most, BACK_OFF.first * 2 ** this.failures++)
  }
  tell(text) {
    if (performance.now() - this.toldAt < TELL_EVERY * 1000) return
    this.toldAt = performance.now()
    if (TALKING.includes(process.argv[2])) process.stderr.write(`herma: ${text}\n`)
    for (const voice of this.voices) void (async () => voice(`herma: ${text}`))().catch(() => {})
  }
}

function heard(child, text) {
  const lines = (child.rest + text).split("\n")
  child.rest = lines.pop()
  for (const line of lines) {
    try {
      const { id, result, error } = JSON.parse(line)
      const call = child.waiting.get(id)
      error ? call?.reject(Object.assign(new Error(error.message), { refusal: true })) : call?.resolve(result)
    } catch {}
  }
}

// What both versions need: the calls, and who asked for a session, for a subagent has its parent's memory. That never
// changes, so each session is looked up once.
async function joined(voice, look) {
  const sidecar = (globalThis[Symbol.for(`herma.${ID}.${PROTOCOL}`)] ??= new Sidecar())
  const leave = sidecar.join(voice)
  const parents = new Map()
  const parentOf = async (session) => {
    if (parents.has(session)) return parents.get(session)
    const found = await within(SECONDS.other, look(session)).catch(() => undefined)
    if (parents.size >= MOST.sessions) parents.clear()
    if (found) parents.set(session, found.parentID ?? null)
    return found?.parentID ?? null
  }
  return {
    leave,
    tools: (await sidecar.call("hello"))?.tools ?? [],
    tell: (method, params) => void sidecar.call(method, params),
    texts: async (session, more) =>
      (await sidecar.call("system", { session, parent: await parentOf(session), ...more }))?.texts ?? [],
    use: async (name, args, { sessionID: session, messageID: turn }) =>
      (await sidecar.call("tool", { session, turn, name, arguments: args }))?.text ?? NO_TOOL(name),
  }
}

async function server({ client }) {
  const voice = async (message) => {
    await client.app.log({ body: { service: ID, level: "warn", message } })
    await client.tui.showToast({ body: { title: ID, message, variant: "warning" } })
  }
  const herma = await joined(voice, async (id) => (await client.session.get({ path: { id } })).data)
  const tool = ({ name, description, parameters: { properties: args } }) =>
    [name, { description, args, execute: (given, context) => herma.use(name, given, context) }]
  return {
    dispose: calm(() => herma.leave()),
    event: calm(({ event: { type, properties } }) => {
      if (type === "session.deleted") herma.tell("deleted", { session: properties.info?.id ?? properties.sessionID })
    }),
    "chat.message": calm(({ sessionID: session }, { message, parts }) => {
      if (parts.some((part) => !part.synthetic)) herma.tell("turn", { session, turn: message.id })
    }),
    "experimental.chat.system.transform": calm(async ({ sessionID: session }, { system }) => {
      if (session) system.push(...(await herma.texts(session, { base: String(system[0]).slice(0, MOST.base) })))
    }),
    // OpenCode 1 makes every argument required; here goes the schema as it is.
    "tool.definition": calm(({ toolID }, output) => {
      const found = herma.tools.find(({ name }) => name === toolID)
      if (found) output.jsonSchema = found.parameters
    }),
    tool: Object.fromEntries(herma.tools.map(tool)),
  }
}

// OpenCode 2. OpenCode 1 calls this as well, with a context that has no sessions.
async function setup(ctx) {
  if (!ctx?.session) return
  const herma = await joined(() => {}, (sessionID) => ctx.session.get({ sessionID }))
  const context = async ({ sessionID, kind, purpose, system }) => {
    const texts = await herma.texts(sessionID, { kind: kind ?? purpose ?? "" })
    system.push(...texts.map((text) => ({ type: "text", text })))
  }
  await ctx.session.hook("prompt", calm((of) => herma.tell("turn", { session: of.sessionID, turn: of.messageID })))
  await ctx.session.hook("context", calm(context))
  const tool = ({ name, description, parameters: input }) => ({
    name, description, input, options: { codemode: false },
    execute: async (given, context) => ({ content: await herma.use(name, given, context) }),
  })
  await ctx.tool.transform((editor) => herma.tools.forEach((each) => editor.add(tool(each))))
  const stop = new AbortController()
  void calm(async () => {
    for await (const { type, data } of ctx.event.subscribe({ signal: stop.signal }))
      if (type === "session.deleted") herma.tell("deleted", { session: data.sessionID })
  })()
  return async () => void (stop.abort(), herma.leave())
}

export default { id: ID, server, setup }
