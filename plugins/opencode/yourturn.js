// Tells yourturn what happens in OpenCode: each event is handed to yourturn's hook, one short process after the other.
// It never throws, prints or keeps the client waiting. Prompts and results are not handed on.
import { spawn } from "node:child_process"

const COMMAND = ["@python@", "-S", "-E", "@hook@", "opencode"] // filled in when it is installed
const PATIENCE_MS = 2000 // a hook takes some 30 ms; a stuck one must not hold up the others for long
const ABOUT = ["command", "filePath", "description", "url", "pattern", "query", "name"]
const LONGEST = 400
const IS_HEADLESS = process.argv[2] === "run" // what it asks is rejected at once: nobody is asked

const run = (told) =>
  new Promise((done) => {
    try {
      const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "ignore", "ignore"], detached: true })
      const timer = setTimeout(done, PATIENCE_MS)
      const end = () => {
        clearTimeout(timer)
        done()
      }
      child.on("error", end)
      child.on("close", end)
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(told))
      child.unref()
    } catch {
      done()
    }
  })

// What a call is about, without contents of files.
const brief = (given) =>
  Object.fromEntries(
    ABOUT.filter((key) => typeof given?.[key] === "string").map((key) => [key, given[key].slice(0, LONGEST)]),
  )

const quietly = (listener) => async (...told) => {
  try {
    await listener(...told)
  } catch {}
}

export const YourTurn = async ({ directory }) => {
  const parents = new Map() // of a sub-agent's session: the session that started it
  const types = new Map() // of a sub-agent's session: which agent it is
  const created = new Set() // sessions that this process has begun
  const open = new Set() // sessions that this process has told of
  const busy = new Set() // sessions in a turn
  const calls = new Map() // by id: session, tool and what it is about
  const requests = new Map() // by id: what is asked for
  let present = "" // the session that the person has before them
  let queue = Promise.resolve()

  const root = (session) => {
    for (let steps = 0; parents.has(session) && steps < 20; steps++) session = parents.get(session)
    return session
  }

  const hand = (event, session, more = {}) => {
    const agent = parents.has(session) ? { agent: session, type: types.get(session) } : {}
    const told = { event, session: root(session), ...agent, cwd: directory, ...more }
    queue = queue.then(() => run(told))
  }

  // A session is created with its first prompt; one that goes on after a while is not announced at all.
  const source = (session) => {
    if (parents.has(session) || session === present) return {}
    present = session
    open.add(session)
    return { source: created.has(session) ? "startup" : "resume" }
  }

  // The client says so several times in a turn.
  const works = (session, turn = "") => {
    if (busy.has(session)) return
    busy.add(session)
    hand("session.busy", session, { turn, ...source(session) })
  }

  const rests = (session) => {
    if (!busy.delete(session)) return
    for (const [id, call] of calls) if (call.session === session) calls.delete(id)
    for (const [id, request] of requests) if (request.session === session) requests.delete(id)
    hand("session.idle", session)
  }

  const asks = (event, session, id, request) => {
    requests.set(id, { session, ...request })
    hand(event, session, request)
  }

  const answered = (event, id) => {
    const request = requests.get(id)
    if (!requests.delete(id)) return
    const { session, ...asked } = request
    hand(event, session, asked)
  }

  const listeners = {
    "session.created": ({ info }) => {
      if (!info.parentID) return created.add(info.id)
      parents.set(info.id, info.parentID)
      types.set(info.id, info.agent)
    },
    "session.status": ({ sessionID, status }) => {
      if (status.type === "busy") works(sessionID)
      if (status.type === "idle") rests(sessionID)
    },
    "session.idle": ({ sessionID }) => rests(sessionID),
    "session.error": ({ sessionID, error }) => {
      if (!sessionID) return
      if (error?.name !== "MessageAbortedError") return hand("session.error", sessionID, { error: error?.name })
      for (const child of [...busy]) if (child !== sessionID && root(child) === sessionID) rests(child)
    },
    "permission.asked": ({ id, sessionID, permission, metadata, tool }) => {
      if (IS_HEADLESS) return
      const { session, ...known } = calls.get(tool?.callID) ?? { tool: permission, about: brief(metadata) }
      asks("permission.asked", sessionID, id, { call: tool?.callID, ...known })
    },
    "permission.replied": ({ requestID, reply }) =>
      answered(reply === "reject" ? "permission.rejected" : "permission.approved", requestID),
    "question.asked": ({ id, sessionID, tool }) =>
      asks("question.asked", sessionID, id, { call: tool?.callID, tool: "question" }),
    "question.replied": ({ requestID }) => answered("question.answered", requestID),
    "question.rejected": ({ requestID }) => answered("question.answered", requestID),
    "message.part.updated": ({ part }) => {
      if (part.type !== "tool" || !["completed", "error"].includes(part.state?.status)) return
      const call = calls.get(part.callID)
      if (!calls.delete(part.callID)) return
      hand("tool.ended", call.session, { call: part.callID, tool: call.tool, about: call.about })
    },
  }

  return {
    event: quietly(({ event }) => listeners[event.type]?.(event.properties)),
    "chat.message": quietly(({ sessionID }, { message }) => works(sessionID, message?.id)),
    "tool.execute.before": quietly(({ tool, sessionID, callID }, { args }) => {
      if (tool === "question") return
      const call = { session: sessionID, tool, about: brief(args) }
      calls.set(callID, call)
      hand("tool.began", sessionID, { call: callID, tool, about: call.about })
    }),
    dispose: quietly(() => {
      for (const session of open) hand("session.ended", session)
      open.clear()
      present = ""
      return Promise.race([queue, new Promise((done) => setTimeout(done, PATIENCE_MS))])
    }),
  }
}
