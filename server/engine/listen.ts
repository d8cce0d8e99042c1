// The statements by which the engine listens: the second never ends by itself, and the engine ends with it.
export const LISTEN =
  'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(0.1) FROM system.numbers SETTINGS max_block_size=1, max_execution_time=0'
