-- The trace of each turn through its flow: blocks, outside calls, variables that were set.
-- Compatible from: 0030
-- Formerly: 10c63ccc30d5dfe4b3a38e628f825eb2a93af19b8a7c09983bfc83bb4a5030c7

alter table result_steps add column trace jsonb;
