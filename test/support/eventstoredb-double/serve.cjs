// Keeps its log in memory, and acknowledges without a disk.
require('../../../scripts/run-typescript.cjs');
void require('./serve').serve();
