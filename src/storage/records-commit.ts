/**
 * What the records are durable with. `log`: they and the event log commit together what one turn asks of them, in the order
 * asked. `each_other`: nobody but this process writes them, they commit like that among themselves, and the log is elsewhere.
 * `nothing`: others write them, or a network is between, so that each write is settled before the next is made.
 */
export type RecordsCommit = 'log' | 'each_other' | 'nothing';
