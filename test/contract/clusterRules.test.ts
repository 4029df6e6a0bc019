/** Statements that a cluster refuses are recognised; every file that has a database is held to this. */
import { describe, expect, test } from "vitest"
import { brokenRules, type RuleFacts, tablesWritten } from "../support/clusterRules.ts"

const facts: RuleFacts = {
  mutable: new Set(["now/0", "random/0", "clock_timestamp/0", "to_char/2"]),
  volatile: new Set(["random/0", "clock_timestamp/0"]),
  zoned: new Set(["updated_at", "used_at"]),
  keys: new Map([["spread", "result_id"]]),
  copied: new Set(["users"]),
}

describe("a cluster refuses", () => {
  test.each([
    [
      "insert into bots (id, folder_id) values ($1, (select id from folders))",
      "a subquery in VALUES",
    ],
    ["with a as (select 1 as x) insert into t select x from a", "WITH before INSERT"],
    ["with a as (insert into t values (1) returning x) select * from a", "INSERT under WITH"],
    [
      "insert into t values ($1) on conflict (id) do update set at = now()",
      "a function in DO UPDATE that is not immutable",
    ],
    [
      "update bots set updated_at = greatest(now(), updated_at + interval '1 millisecond')",
      "a function of a column that is not immutable",
    ],
    [
      "update t set x = 1 from unnest($1) as u (used_at) where t.y <= u.used_at - interval '1 minute'",
      "a function of a column that is not immutable",
    ],
    [
      "delete from t where to_char(updated_at, 'YYYY') = $1",
      "a function of a column that is not immutable",
    ],
    ["delete from t where updated_at::date < $1", "a function of a column that is not immutable"],
    ["update t set x = random()", "a volatile function in a change"],
    ["update t set x = clock_timestamp() where y = 1", "a volatile function in a change"],
    [
      "update t set x = coalesce(x, now())",
      "CASE or COALESCE around a function that is not immutable",
    ],
    [
      "update t set x = case when y then now() end",
      "CASE or COALESCE around a function that is not immutable",
    ],
    ["update t set x = 1 returning now()", "a function in RETURNING that is not immutable"],
    [
      "delete from t where id = $1 and exists (select from users where users.id = t.user_id)",
      "EXISTS over a copied or spread table in a change of one at the coordinator",
    ],
    ["delete from t where ctid in (select ctid from t limit 1)", "the place of a row"],
    [
      "select from t where exists (select from unnest(t.a) x where exists (select from unnest(t.b)))",
      "a subquery below one that reads from a function",
    ],
    [
      "update spread set result_id = $1 where id = $2",
      "a change of the column that spreads a table",
    ],
    [
      "insert into spread values ($1) on conflict (id) do update set result_id = excluded.result_id",
      "a change of the column that spreads a table",
    ],
    [
      "with a (x, y) as (select id, null from t union all select id, b from t) select y from a",
      "names of columns before UNION under WITH",
    ],
    [
      "with a (x) as (select id from t except select id from u) select x from a",
      "names of columns before UNION under WITH",
    ],
    [
      "select id from spread order by at limit 9 for update skip locked",
      "locks of rows on many nodes",
    ],
    [
      "update spread set x = 1 where (result_id, id) in (select result_id, id from spread for update)",
      "locks of rows on many nodes",
    ],
    ["select x, count(*) from spread group by rollup (x)", "GROUPING SETS over many nodes"],
    [
      "with recursive r as (select id from spread union select id from r) select * from r",
      "RECURSIVE over a spread table",
    ],
    [
      "select id from bots b where exists (select from spread s where s.bot_id = b.id)",
      "EXISTS over a spread table for each row of another",
    ],
    [
      "select exists (select from spread) or exists (select from bots) as is_waiting",
      "EXISTS over a spread table without columns and FROM",
    ],
    [
      "merge into spread s using bots b on s.bot_id = b.id when matched then delete",
      "MERGE into a spread table",
    ],
  ])("%s", (text, words) => {
    expect(brokenRules(text, facts)).toContain(words)
  })
})

describe("a cluster takes", () => {
  test.each([
    "insert into t (id, at) values ($1, now()), ($2, random())",
    "insert into t select x from unnest($1) x on conflict (id) do update set x = excluded.x + t.x",
    "with a as (delete from t where id = $1 returning x) select * from a",
    "update t set x = now() + make_interval(secs => $1), n = n + 1 where at < now()",
    `update bots set updated_at = greatest(now(),
      (updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`,
    "update t set x = case when y > $1 then y else $1 end",
    "delete from t where (a, b) in (select a, b from t where case when c then at < now() end limit 9)",
    "select coalesce(x, now()), updated_at + interval '1 day' from t",
    "delete from t where updated_at < $1",
    "update t set result_id = $1",
    "delete from t where not exists (select from u where u.id = t.id)",
    "delete from users where not exists (select from spread)",
    "with a (x, y) as (select id, b from t) select y from a",
    "with a as (select id as x from t union all select id from u) select x from a",
    "select x from (select id from t union all select id from u) a (x)",
    "select id from spread where result_id = $1 for no key update",
    "select id from bots where id = $1 for update skip locked",
    "with recursive r as (select id from folders where id = $1 union select f.id from folders f, r) select * from r",
    "select exists (select 1 from spread) as is_waiting",
    "select id from spread s where exists (select from spread x where x.result_id = s.result_id)",
  ])("%s", (text) => {
    expect(brokenRules(text, facts)).toEqual([])
  })
})

test("the tables are found whose rows a statement writes or locks", () => {
  expect(tablesWritten("select 1 from a where id in (select id from b)")).toEqual([])
  expect(tablesWritten("select id from bots where id = $1 for no key update")).toEqual(["bots"])
  expect(
    tablesWritten("with x as (delete from a) update b set c = 1; insert into d values (1)"),
  ).toEqual(["b", "a", "d"])
})
