// build ORDER: builds a release in the tree that this script belongs to; started by release.ts.
import { runBuilder } from './builder.ts';
import { makeSingleFiles } from './program.ts';

await runBuilder(makeSingleFiles);
