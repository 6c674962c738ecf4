import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { openProgress, renderProgress } from '../../../commands/cli/progress.ts';

class Screen extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 60;
  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }
  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

test('a progress line has the label, the amount, the rate and the remaining time', () => {
  const line = renderProgress(
    { label: 'app', items: '3/12', bytesDone: 2 ** 30, bytesTotal: 2 ** 32 },
    2 ** 28,
  );
  assert.equal(line, 'app 3/12  1 GiB of 4 GiB  25 %  256 MiB/s  12 s left');
  assert.equal(renderProgress({ label: 'resolving', bytesDone: 0 }, 0), 'resolving');
});

test('where the line is too long the time left is the last to go', () => {
  const label = 'registry.example/platform/team/a-service-with-a-long-name';
  const state = { label, items: '3/12', bytesDone: 2 ** 30, bytesTotal: 2 ** 32 };
  for (const language of ['en', 'fr'] as const)
    for (let width = 12; width <= 130; width += 1) {
      const line = renderProgress(state, 2 ** 28, language, width);
      assert.ok(line.length <= width, `${width}: ${line}`);
      assert.match(line, language === 'en' ? /12 s left$/ : /reste 12\ss$/, `${width}`);
    }
  const at = (width: number): string => renderProgress(state, 2 ** 28, 'en', width);
  assert.deepEqual([40, 60, 80, 120].map(at), [
    'registry.example/… 3/12  25 %  12 s left',
    'registry.example/platform/… 3/12  25 %  256 MiB/s  12 s left',
    'registry.example/platform/team… 3/12  1 GiB of 4 GiB  25 %  256 MiB/s  12 s left',
    `${label} 3/12  1 GiB of 4 GiB  25 %  256 MiB/s  12 s left`,
  ]);
  const unknown = { label, bytesDone: 2 ** 30 };
  assert.ok(renderProgress(unknown, 0, 'en', 20).length <= 20);
});

test('on a terminal one line is redrawn at most ten times a second and taken away at the end', () => {
  const screen = new Screen(true);
  let time = 0;
  const progress = openProgress({ stderr: screen, now: () => time });
  for (time = 0; time < 1000; time += 10)
    progress.update({ label: 'app', bytesDone: time, bytesTotal: 1000 });
  assert.equal(screen.text.split('\r').length - 1, 10);
  assert.doesNotMatch(screen.text, /\n/);
  progress.stop();
  assert.ok(screen.text.endsWith('\r\u001b[2K'));
  progress.update({ label: 'late', bytesDone: 0 });
  assert.doesNotMatch(screen.text, /late/);
});

test('lines of the log and the progress line do not mix', () => {
  const screen = new Screen(true);
  const progress = openProgress({ stderr: screen, now: () => 0 });
  progress.update({ label: 'app', bytesDone: 0 });
  progress.stream.write('a record\n');
  assert.ok(screen.text.endsWith('app\r\u001b[2Ka record\napp'), JSON.stringify(screen.text));
});

test('without a terminal a plain line is written at intervals, none for short work, without control characters', () => {
  const screen = new Screen(false);
  let time = 0;
  const progress = openProgress({ stderr: screen, now: () => time });
  for (time = 0; time <= 25_000; time += 100) {
    progress.update({ label: 'app\u001b[2J', bytesDone: time * 1024, bytesTotal: 50_000 * 1024 });
  }
  progress.stop();
  assert.equal(screen.text.split('\n').length - 1, 2);
  assert.doesNotMatch(screen.text, /[\u001b\r]/);
  assert.match(screen.text, /20 % {2}1000 KiB\/s/);
});

test('a line longer than the terminal is cut', () => {
  const screen = new Screen(true);
  openProgress({ stderr: screen, now: () => 0 }).update({ label: 'x'.repeat(200), bytesDone: 0 });
  assert.ok(screen.text.replace('\r\u001b[2K', '').length < 60);
});

test('without a terminal a line that says nothing new is written again after ten minutes only', () => {
  const screen = new Screen(false);
  let time = 0;
  const progress = openProgress({ stderr: screen, now: () => time });
  for (time = 10_000; time <= 1_210_000; time += 10_000) progress.update({ label: 'waits', bytesDone: 0 });
  assert.equal(screen.text, 'waits\n'.repeat(3));
});
