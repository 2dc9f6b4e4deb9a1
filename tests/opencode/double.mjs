// Plays both versions of OpenCode to the plugin, as told by lines of JSON on stdin; each is answered with a line.
import { createInterface } from "node:readline"

const plugin = (await import(process.env.PLUGIN)).default
const parents = { child: "one" }
const seen = { toasts: [], logs: [], looked: 0 }
const instances = []
const second = { hooks: {}, tools: {}, events: [], wake: null, aborted: false }

const client = () => ({
  app: { log: async ({ body }) => void seen.logs.push(body) },
  tui: { showToast: async ({ body }) => void seen.toasts.push(body) },
  session: { get: async ({ path }) => (seen.looked++, { data: { id: path.id, parentID: parents[path.id] } }) },
})

const context = {
  app: { version: "2.0.25" },
  session: {
    hook: async (name, callback) => void (second.hooks[name] = callback),
    get: async ({ sessionID }) => ({ id: sessionID, parentID: parents[sessionID] }),
  },
  tool: { transform: async (edit) => edit({ add: (tool) => void (second.tools[tool.name] = tool) }) },
  event: {
    subscribe: async function* ({ signal }) {
      signal.addEventListener("abort", () => ((second.aborted = true), second.wake?.()))
      while (!second.aborted) {
        while (second.events.length) yield second.events.shift()
        await new Promise((resolve) => (second.wake = resolve))
      }
    },
  },
}

const shape = (tools) => Object.fromEntries(Object.entries(tools).map(([name, { execute, ...rest }]) => [name, rest]))

const acts = {
  keys: async () => ({ keys: Object.keys(plugin), id: plugin.id }),
  server: async () => {
    instances.push(await plugin.server({ client: client() }))
    return { hooks: Object.keys(instances.at(-1)), tools: shape(instances.at(-1).tool) }
  },
  hook: async ({ name, input, output, instance = 0 }) => (await instances[instance][name](input, output), output),
  tool: async ({ args, context: given, tool = "memory", instance = 0 }) =>
    await instances[instance].tool[tool].execute(args, given),
  setup: async ({ empty }) => {
    second.cleanup = await plugin.setup(empty ? { options: {}, agent: {}, tool: {} } : context)
    return { cleanup: typeof second.cleanup, hooks: Object.keys(second.hooks), tools: shape(second.tools) }
  },
  second: async ({ name, event }) => (await second.hooks[name](event), event),
  use: async ({ args, context: given, tool = "memory" }) => await second.tools[tool].execute(args, given),
  event: async ({ event }) => (second.events.push(event), second.wake?.(), null),
  cleanup: async () => (await second.cleanup(), second.aborted),
  seen: async () => seen,
  sidecar: async () => globalThis[Symbol.for("herma.opencode-hermes.1")]?.child?.pid ?? null,
}

for await (const line of createInterface({ input: process.stdin })) {
  const { act, ...given } = JSON.parse(line)
  const began = performance.now()
  let reply
  try {
    reply = { result: (await acts[act](given)) ?? null }
  } catch (error) {
    reply = { thrown: String(error) }
  }
  process.stdout.write(JSON.stringify({ ...reply, ms: performance.now() - began }) + "\n")
}
process.exit(0)
