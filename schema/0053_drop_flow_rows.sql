-- Drops the function that read a flow as lines: flows are read as whole columns since 0043.
-- Compatible from: 0043

drop function flow_rows;
