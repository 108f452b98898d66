// `node .ci/check-node.mjs <run.json>`: whether every service runs on a Node that is supported, and on the machine's own where
// that is one. Reads /proc, so for Linux.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { nodeProgram } from '../scripts/node-program.cjs';

const { processes } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const wanted = spawnSync(nodeProgram(), ['-p', 'process.execPath'], { encoding: 'utf8' }).stdout.trim();
const programs = Object.entries(processes).map(([name, pid]) => [name, readlinkSync(`/proc/${pid}/exe`)]);
const services = programs.filter(([, program]) => basename(program).startsWith('node'));
const strangers = services.filter(([, program]) => program !== wanted);
for (const [name, program] of strangers) process.stdout.write(`${name} runs on ${program}, not on ${wanted}\n`);
process.exitCode = services.length > 1 && strangers.length === 0 ? 0 : 1;
