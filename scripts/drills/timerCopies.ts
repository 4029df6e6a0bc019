/** Silent chats of the drill of timers: a few real ones, copied under ids of their own. */
import type { Pool } from "../../src/db/connection/pool.ts"

/** When the copies fall silent: in every second stretch, evenly. */
export type Schedule = {
  timers: number
  /** Silence after which a timer is due. */
  idleAfterSeconds: number
  /** Time from now to the first stretch. */
  inSeconds: number
  /** An even number, of so many seconds each. */
  stretches: number
  stretchSeconds: number
}

/** Copies the conversations that there are. Returns when the first stretch begins. */
export async function copySilentChats(pool: Pool, schedule: Schedule): Promise<Date> {
  const { timers, idleAfterSeconds, inSeconds, stretches, stretchSeconds } = schedule
  const { rows } = await pool.query<{ at: Date }>(
    "select now() + make_interval(secs => $1) as at",
    [inSeconds],
  )
  const startAt = rows[0]?.at ?? new Date()
  // A timer's place, counted in stretches with timers: 1.5 is the middle of the fourth of all.
  await pool.query(
    `create table drill_copies as
    select c.result_id as of_result, c.session_id as of_session, c.key as of_key, n, id as result_id,
      replace(id::text, '-', '') || right(c.session_id, 22) as session_id, 'copy ' || n as key,
      $1::timestamptz + make_interval(secs => $2 * (floor(place) + place + 1)) as due_at
    from (select n, uuidv7() as id, n * $3::float8 / $4 as place
      from generate_series(0, $4::int - 1) n) copies
    join (select *, row_number() over () - 1 as sample, count(*) over () as samples
      from conversations) c on c.sample = n % c.samples`,
    [startAt, stretchSeconds, stretches / 2, timers],
  )
  await pool.query("create unique index on drill_copies (result_id)")
  await pool.query(
    `insert into conversations (key_id, bot_id, key, result_id, session_id)
    select gen_random_uuid(), c.bot_id, d.key, d.result_id, d.session_id
    from drill_copies d join conversations c on c.result_id = d.of_result`,
  )
  await pool.query(
    `insert into results (result_id, bot_id, version_id, variables, has_started, last_chat_session_id)
    select d.result_id, r.bot_id, r.version_id, r.variables, r.has_started, d.session_id
    from drill_copies d join results r on r.result_id = d.of_result`,
  )
  await pool.query(
    `insert into chat_sessions
      (result_id, id, bot_id, version_id, state, revision, expires_at, created_at, updated_at)
    select d.result_id, d.session_id, s.bot_id, s.version_id,
      replace(replace(s.state, d.of_result::text, d.result_id::text), '"' || d.of_key || '"',
        '"' || d.key || '"'),
      s.revision, d.due_at + interval '48 hours', s.created_at, d.due_at - make_interval(secs => $1)
    from drill_copies d join chat_sessions s on s.result_id = d.of_result and s.id = d.of_session`,
    [idleAfterSeconds],
  )
  await pool.query(
    "insert into timers (result_id, session_id, due_at) select result_id, session_id, due_at from drill_copies",
  )
  await pool.query("analyze")
  await pool.query("checkpoint")
  return startAt
}

/** What came of the copies' timers; times in seconds, of those that were fired. */
export type Firing = { once: number; late50: number; late99: number; latest: number }

/** Reads how often and how late silence was told. */
export async function readFiring(pool: Pool): Promise<Firing> {
  const { rows } = await pool.query<Firing>(
    `select count(*) filter (where told = 1)::int as once,
      percentile_cont(0.5) within group (order by late) as late50,
      percentile_cont(0.99) within group (order by late) as late99, max(late) as latest
    from (select count(*) as told,
        extract(epoch from min(e.created_at) - min(d.due_at))::float8 as late
      from drill_copies d join session_events e using (result_id)
      where e.type = 'conversation.idle' group by result_id) fired`,
  )
  const [firing] = rows
  if (!firing) throw new Error("No timers were fired")
  return firing
}
