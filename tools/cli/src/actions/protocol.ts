import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadProtocol, ownProtocols } from '@mediagate/upstreams';
import { packageTrials } from '@mediagate/upstreams/conformance';
import { Refusal } from '../refusal';
import type { Answer } from '../session';

/** The same from `src` and from `dist`. */
const SKELETON = join(__dirname, '../../skeleton');
/** Stands for the protocol's word in the files of the skeleton. */
const PLACEHOLDER = /\bNAME\b/g;
/** The contract, which has no place for it. */
const CONTRACT = 'mediagate.d.ts';

/** Writes a package that passes its test, to be changed step by step. */
export function create(name: string, dir = `mediagate-${name}`): Answer {
  const folder = resolve(dir);
  if (ownProtocols().has(name)) throw new Refusal(`mediagate has a protocol ${name} already`);
  if (existsSync(folder)) throw new Refusal(`${folder} is there already`);
  cpSync(SKELETON, folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
  for (const file of files) {
    if (basename(file) === CONTRACT) continue;
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(PLACEHOLDER, name));
  }
  return {
    json: { protocol: name, folder, files: files.sort() },
    text: `${folder}: ${files.length} files\nnpx mediagate protocol test ${dir}`,
  };
}

interface Tried {
  name: string;
  /** Absent: the package keeps it. */
  reason?: string;
}

/** Everything that an adapter has to keep, tried on a package. */
export async function test(name: string): Promise<Answer> {
  const loaded = loadProtocol(existsSync(name) ? resolve(name) : name, process.cwd(), ownProtocols());
  if ('fault' in loaded) throw new Refusal(`${name} ${loaded.fault}`);
  const tried: Tried[] = [];
  for (const trial of trialsOf(name, loaded)) {
    tried.push(
      await trial.run().then(
        () => ({ name: trial.name }),
        (error: unknown) => ({ name: trial.name, reason: messageOf(error) }),
      ),
    );
  }
  const failed = tried.filter(({ reason }) => reason !== undefined);
  const { protocol } = loaded;
  return {
    json: { package: name, protocol, passed: tried.length - failed.length, failed },
    text: [
      ...tried.map(({ name: trial, reason }) =>
        reason === undefined ? `ok      ${trial}` : `FAILED  ${trial}\n${indented(reason)}`,
      ),
      `\n${protocol}: ${tried.length - failed.length} of ${tried.length} kept`,
    ].join('\n'),
    faulty: failed.length > 0,
  };
}

function trialsOf(name: string, loaded: Parameters<typeof packageTrials>[0]) {
  try {
    return packageTrials(loaded);
  } catch (error) {
    throw new Refusal(`${name} cannot be tested: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return String((Object(error) as { message?: unknown }).message ?? error);
}

function indented(text: string): string {
  return text.replace(/^/gm, '        ');
}
