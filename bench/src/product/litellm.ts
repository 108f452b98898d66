import { join } from 'node:path';
import { pythonEnvironment } from '../machine/python';
import type { Stage } from '../stage';

/** LiteLLM at work; `pid` is that of its worker. */
export interface LiteLlm {
  pid: number;
  url: string;
}

const VERSION = '1.106.2';

/** Undefined where Python or pip cannot bring it, after one line that says why. */
export async function startLiteLlm(stage: Stage, upstreamUrl: string): Promise<LiteLlm | undefined> {
  const environment = join(stage.tools, `litellm-${VERSION}`);
  try {
    const programs = await pythonEnvironment(environment, [`litellm[proxy]==${VERSION}`]);
    const env = { LITELLM: join(programs, 'litellm'), DIRECTORY: stage.directory, UPSTREAM_URL: upstreamUrl };
    const program = await stage.startProgram('reference/litellm.ts', env);
    const { pid } = await program.order<{ pid: number }>({});
    return { pid, url: program.url };
  } catch (error) {
    stage.say(`without LiteLLM: ${(error as Error).message.trim().split('\n').at(-1)}`);
    return undefined;
  }
}
