import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, readText } from './checkout';
import { parseDockerIgnore } from './docker-ignore';
import { type Instruction, readDockerfile, type Stage } from './dockerfile';

export interface BuiltImage {
  /** Stands for `/` of a container. */
  root: string;
  /** Where commands run. */
  workingDirectory: string;
  remove(): Promise<void>;
}

/** Of one RUN; the first on a machine fetches all packages. */
const RUN_LIMIT_MS = 300_000;
/** What the last stage does to the system around it, which is not this machine's to have done to it. */
const SYSTEM_STEPS = [
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*',
  'mkdir -p /var/lib/mediagate && chown 1000:1000 /var/lib/mediagate',
];

/**
 * Does what `docker build` would do with the Dockerfile, a folder for each stage instead of a file system: copies what COPY
 * names and .dockerignore lets in, and runs what RUN says. The base image is this machine.
 */
export async function buildImage(): Promise<BuiltImage> {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-image-'));
  // mkdtemp lets nobody else in; the service runs as somebody else.
  await chmod(folder, 0o755);
  const { stages, image } = readDockerfile();
  const roots = new Map<string, string>();
  let workingDirectory = '';
  for (const stage of stages) {
    const root = join(folder, stage.name ?? 'image');
    mkdirSync(root);
    workingDirectory = await buildStage(stage, { root, roots, isLast: stage === image });
    if (stage.name !== undefined) roots.set(stage.name, root);
  }
  return {
    root: join(folder, 'image'),
    workingDirectory,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface StageContext {
  root: string;
  roots: ReadonlyMap<string, string>;
  isLast: boolean;
}

async function buildStage({ instructions }: Stage, context: StageContext): Promise<string> {
  let workingDirectory = context.root;
  for (const instruction of instructions) {
    if (instruction.kind === 'WORKDIR') {
      workingDirectory = join(context.root, instruction.text);
      mkdirSync(workingDirectory, { recursive: true });
    }
    if (instruction.kind === 'COPY') await copy(instruction, workingDirectory, context.roots);
    if (instruction.kind === 'RUN') runStep(instruction.text, workingDirectory, context.isLast);
  }
  return workingDirectory;
}

async function copy({ words }: Instruction, into: string, roots: StageContext['roots']): Promise<void> {
  const [flag] = words;
  const target = join(into, words.at(-1) ?? '');
  if (flag?.startsWith('--from=')) {
    const root = roots.get(flag.slice('--from='.length));
    if (root === undefined) throw new Error(`there is no stage ${flag}`);
    // Moved: a copy of all packages takes longer than installing them, and no stage is read twice.
    renameSync(join(root, words[1] ?? ''), target);
    return;
  }
  for (const source of words.slice(0, -1)) {
    for (const file of filesOfContext(source)) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      await copyFile(join(ROOT, file), join(target, file));
    }
  }
}

/** What a build may see of `source`: `.` or a file. */
function filesOfContext(source: string): string[] {
  const ignore = parseDockerIgnore(readText('.dockerignore'));
  const walk = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return ignore.isIgnored(path) && !ignore.mayHoldMore(path) ? [] : walk(path);
      return ignore.isIgnored(path) ? [] : [path];
    });
  if (source === '.') return walk('');
  if (ignore.isIgnored(source) || !existsSync(join(ROOT, source)))
    throw new Error(`COPY ${source}: not in the context`);
  return [source];
}

function runStep(command: string, workingDirectory: string, isLast: boolean): void {
  if (isLast) {
    if (!SYSTEM_STEPS.includes(command)) throw new Error(`the last stage runs something new: ${command}`);
    return;
  }
  if (/(?:^|\s)\//.test(command)) throw new Error(`RUN names a path outside its stage: ${command}`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: workingDirectory,
    encoding: 'utf8',
    timeout: RUN_LIMIT_MS,
    // npx would ask the registry at every call whether there is a newer pnpm 10, and wait for it.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: '1', npm_config_prefer_offline: 'true' },
  });
  if (status !== 0)
    throw new Error(`RUN ${command} ended with ${status}:\n${stdout.slice(-2000)}${stderr.slice(-2000)}`);
}
