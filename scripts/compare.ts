// compare COMMIT: compares all that users and scripts see of the program at an older commit with the program of the
// working tree; see `usage`.
import { runCompareCommand } from './compare/compare-command.ts';

process.exitCode = await runCompareCommand(process.argv.slice(2));
