// Makes the calls of a program against the gateway, each by itself.
import { readFileSync } from 'node:fs';
import { env, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

export const base = env.BASE_URL;
export const key = env.KEY;
export const QUESTION = 'Why do lighthouses blink?';
export const IMAGE = 'imagegen-2.5-flare';
/** Clients of Gemini make images by the road of texts where the name begins so. */
export const GEMINI_IMAGE = 'gemini-imagefast-3.1';
export const TEXT = 'text-2.5-flash';
export const SPEECH = 'ttsmodel-mini';

/** Makes the calls in turn and prints those that worked, and why the others did not. */
export async function report(packages, calls) {
  const works = [];
  const fails = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      works.push(name);
    } catch (error) {
      fails.push(
        `${name}: ${String(error?.message ?? error)
          .split('\n')[0]
          .slice(0, 160)}`,
      );
    }
  }
  stdout.write(`${JSON.stringify({ program: packages.map(withVersion).join(' and '), works, fails })}\n`);
}

function withVersion(name) {
  const file = fileURLToPath(new URL(`node_modules/${name}/package.json`, import.meta.url));
  return `\`${name}\` ${JSON.parse(readFileSync(file, 'utf8')).version}`;
}

export const isPng = (bytes) => Buffer.from(bytes.slice(0, 4)).toString('hex') === '89504e47';
