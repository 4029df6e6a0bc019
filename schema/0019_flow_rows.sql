-- A flow in rows of some 64 kB, to be ordered by number; there is one at least. Clients decode a row
-- at a time, and a text of 4 MB takes them up to 25 ms. A function, because its plan is kept: planned
-- with every statement this takes ten times as long as running it for a small flow.
-- Compatible from: 0018
--
-- A line is a letter and JSON: f the members that are no lists, v a variable, g a group without its
-- blocks and then b each block, w a group that has no list of blocks, e an edge. Rows beyond ASCII are
-- = and Base64 of the lines in UTF-8: ASCII is decoded ten times as fast.

create function flow_rows(
  p_events jsonb, p_groups jsonb, p_edges jsonb, p_variables jsonb, p_theme jsonb, p_settings jsonb
) returns table (number bigint, lines text)
language plpgsql stable parallel safe rows 10
as $$
#variable_conflict use_column
begin
  return query
  select number, case when octet_length(lines) = length(lines) then lines
    else '=' || translate(encode(convert_to(lines, 'UTF8'), 'base64'), E'\n', '') end
  from (
    select number, string_agg(line, E'\n' order by part, n, m) as lines
    from (
      select *, sum(octet_length(line)) over (order by part, n, m) / 65536 as number
      from (
        select 0 as part, 0::bigint as n, 0::bigint as m, 'f' || jsonb_build_object(
          'events', p_events, 'theme', p_theme, 'settings', p_settings)::text as line
        union all
        select 1, n, 0, 'v' || variable::text
        from jsonb_array_elements(
          case when jsonb_typeof(p_variables) = 'array' then p_variables else '[]' end
        ) with ordinality as variables (variable, n)
        union all
        select 2, n, m, line
        from jsonb_array_elements(p_groups) with ordinality as groups (member, n),
        lateral (
          select 0::bigint as m, case when jsonb_typeof(member->'blocks') = 'array'
            then 'g' || (member - 'blocks')::text else 'w' || member::text end as line
          union all
          select m, 'b' || block::text
          from jsonb_array_elements(
            case when jsonb_typeof(member->'blocks') = 'array' then member->'blocks' else '[]' end
          ) with ordinality as blocks (block, m)
        ) as parts
        union all
        select 3, n, 0, 'e' || edge::text
        from jsonb_array_elements(p_edges) with ordinality as edges (edge, n)
      ) as all_lines
    ) as numbered
    group by number
  ) as bunches;
end
$$;
