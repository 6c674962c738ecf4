import { runMeasured } from '../run-measured.ts';
import type { Contender, Workload } from '../workload.ts';

export const startup: Workload = {
  id: 'P11',
  title: 'start of a light command',
  async run(bench, compare) {
    const times = bench.size(20, 5);
    const folder = await bench.createFolder('p11-home');
    const toContender = (name: string, command: string, args: readonly string[]): Contender => ({
      name,
      run: async () => {
        let seconds = 0;
        let cpu = 0;
        for (let i = 0; i < times; i += 1) {
          const one = await runMeasured(command, args, { env: { HOME: folder } });
          seconds += one.seconds;
          cpu += one.cpu;
        }
        return { time: (seconds * 1000) / times, cpu: (cpu * 1000) / times };
      },
    });
    for (const args of [['version'], ['--help']]) {
      const name = `svc ${args[0]}`;
      await compare({
        title: `${name}, the whole process, mean of ${times} runs`,
        measures: [
          { key: 'time', unit: 'ms', better: 'less' },
          { key: 'cpu', unit: 'ms of CPU', better: 'less' },
        ],
        contenders: [
          toContender(name, process.env.SVC_BIN!, args),
          toContender('node -e 0', process.execPath, ['-e', '0']),
        ],
        targets: [{ measure: 'time', against: 'node -e 0', atMost: 1.5 }],
      });
    }
  },
};
