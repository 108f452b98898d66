import { fork } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT } from '../world/typescript';
import type { JournalEntry, Script } from './script';

export interface GenericUpstream {
  baseUrl: string;
  /** For the jobs of one label, or for all calls with one API key; a label's own script goes first. */
  instruct(subject: string, script: Script): Promise<void>;
  /** Sends the replies that are held. */
  release(): Promise<void>;
  journal(): Promise<JournalEntry[]>;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<GenericUpstream> {
  const child = fork(require.resolve('./server'), {
    execArgv: TYPESCRIPT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const baseUrl = `http://127.0.0.1:${Number(line.toString())}`;
  const post = async (path: string, body: object) => {
    await fetch(`${baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  };
  return {
    baseUrl,
    instruct: (subject, script) => post('/script', { subject, script }),
    release: () => post('/release', {}),
    journal: async () => (await (await fetch(`${baseUrl}/journal`)).json()) as JournalEntry[],
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
