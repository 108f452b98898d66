import { execFile } from 'node:child_process';

/** The resources that one run may use, whatever the file that it reads makes it do. */
export interface RunLimits {
  cpuSeconds: number;
  /** Ends the run by SIGXCPU, to tell this end from others, a little before `cpuSeconds`; default: SIGKILL alone ends it. */
  cpuSignalSeconds?: number;
  /** The limit of its address space: reserved memory counts, also where it is not used. */
  memoryBytes: number;
  /** The limit of each file that it writes. */
  fileBytes: number;
}

export const RUN_LIMITS: RunLimits = {
  // Two cores for as long as a run may take.
  cpuSeconds: 240,
  // To make a video of 3840x2160 anew takes half of it, or three quarters with Debian's ffmpeg.
  memoryBytes: 1024 ** 3,
  // Twice the largest result that is fetched.
  fileBytes: 1024 ** 3,
};

const OPEN_FILES = 64;
/** Below the services, which wait for no CPU while it works. */
const NICENESS = 10;
/** `ulimit -f` counts blocks of 512 bytes, `ulimit -v` KiB. */
const BLOCK_BYTES = 512;
const KIB = 1024;

/**
 * The command that runs `command` within limits: the kernel ends what goes beyond. A limit that cannot be set is one that the
 * system has set lower already, or does not have.
 */
export function confine(command: readonly string[], limits: RunLimits): string[] {
  const settings = [
    '-c 0',
    `-n ${OPEN_FILES}`,
    `-t ${limits.cpuSeconds}`,
    ...(limits.cpuSignalSeconds === undefined ? [] : [`-S -t ${limits.cpuSignalSeconds}`]),
    `-f ${Math.floor(limits.fileBytes / BLOCK_BYTES)}`,
    `-v ${Math.floor(limits.memoryBytes / KIB)}`,
  ];
  const script = settings.map((setting) => `ulimit ${setting} 2>/dev/null; `).join('');
  return ['/bin/sh', '-c', `${script}exec nice -n ${NICENESS} "$@"`, 'sh', ...command];
}

/** A network of its own, which leads nowhere, and none of this process's rights over others, root's least of all. */
const WITHOUT_NETWORK = ['/usr/bin/unshare', '--user', '--net', '--'];
const PROBE_LIMIT_MS = 5_000;

/**
 * Finds the words to put in front of a command to take the network and root's rights from it; empty where the system does not let
 * this process do so, as in most containers.
 */
export function findIsolation(): Promise<readonly string[]> {
  const [program = '', ...args] = WITHOUT_NETWORK;
  return new Promise((resolve) => {
    execFile(program, [...args, '/bin/true'], { timeout: PROBE_LIMIT_MS }, (error) =>
      resolve(error === null ? WITHOUT_NETWORK : []),
    );
  });
}
