#!/usr/bin/env node
import process from 'node:process';
import { printPage } from './cli/print-page.ts';
import { renderLight } from './cli/render-light.ts';

async function main(): Promise<void> {
  const page = await renderLight(process.argv.slice(2), process.env);
  if (page === undefined) {
    const { runProgram } = await import('./program.ts');
    await runProgram();
    return;
  }
  process.exitCode = 0;
  printPage(page);
}

// an event loop that runs empty before the command has ended is a failure
process.exitCode = 1;
// not awaited: the built program starts with a script, which has no top-level await
void main();
