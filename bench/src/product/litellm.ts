import { join } from 'node:path';
import { pythonPrograms } from '@mediagate/testkit/servers';
import type { Stage } from '../stage';

/** LiteLLM at work; `pid` is that of its worker. */
export interface LiteLlm {
  pid: number;
  url: string;
}

/** Undefined where Python or pip cannot bring it, after one line that says why. */
export async function startLiteLlm(stage: Stage, upstreamUrl: string): Promise<LiteLlm | undefined> {
  try {
    const programs = pythonPrograms('bench/reference/requirements.txt');
    if (programs === undefined) throw new Error('there is no Python');
    const env = { LITELLM: join(programs, 'litellm'), DIRECTORY: stage.directory, UPSTREAM_URL: upstreamUrl };
    const program = await stage.startProgram('reference/litellm.ts', env);
    const { pid } = await program.order<{ pid: number }>({});
    return { pid, url: program.url };
  } catch (error) {
    stage.say(`without LiteLLM: ${(error as Error).message.trim().split('\n').at(-1)}`);
    return undefined;
  }
}
