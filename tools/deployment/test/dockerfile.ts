import { readText } from './checkout';

export interface Stage {
  name?: string;
  from: string;
  instructions: Instruction[];
}

/** `words` is `text` split at spaces, or the array that it is in JSON. */
export interface Instruction {
  kind: string;
  text: string;
  words: string[];
}

export interface Dockerfile {
  stages: Stage[];
  /** The last stage, which is the image. */
  image: Stage;
  environment: Record<string, string>;
}

/** The Dockerfile as a list of stages, each a list of instructions. */
export function readDockerfile(): Dockerfile {
  const stages: Stage[] = [];
  for (const { kind, text, words } of instructions(readText('Dockerfile'))) {
    if (kind === 'FROM') stages.push(toStage(words));
    else stages.at(-1)?.instructions.push({ kind, text, words });
  }
  const image = stages.at(-1);
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return { stages, image, environment: environmentOf(image) };
}

function instructions(text: string): Instruction[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, kind = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { kind, text: rest, words: rest.startsWith('[') ? JSON.parse(rest) : rest.split(/\s+/) };
    });
}

function toStage([from = '', as, name]: string[]): Stage {
  return { from, instructions: [], ...(as === 'AS' && name !== undefined && { name }) };
}

function environmentOf({ instructions }: Stage): Record<string, string> {
  const pairs = instructions.filter(({ kind }) => kind === 'ENV').flatMap(({ words }) => words);
  return Object.fromEntries(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]));
}
