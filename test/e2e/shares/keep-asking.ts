// keep-asking URL TOKEN COUNT: holds COUNT connections, and requests the URL on each again and again. Prints a line at
// the first answer. A process of its own, so that its cost is not in the times of the test. Ends with its parent.
import { Agent, get } from 'node:http';

const [url = '', token = '', count = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
const headers = { authorization: `Bearer ${token}` };
let answered = 0;

function ask(): void {
  get(url, { agent, headers }, (answer) => {
    answer.resume();
    answer.on('end', () => {
      answered += 1;
      if (answered === 1) process.stdout.write('answered\n');
      ask();
    });
  }).on('error', () => {});
}

for (let n = 0; n < Number(count); n += 1) ask();
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
