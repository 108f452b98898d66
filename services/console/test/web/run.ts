import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names the file to the test files. */
export const RUN_FILE_VARIABLE = 'MEDIAGATE_WEB_RUN_FILE';

/** Facts that `npm start` writes about the system that it runs, and about its demo's account. */
export interface Run {
  consoleUrl: string;
  consolePassword: string;
  baseUrl: string;
  apiKey: string;
  accountId: string;
  simulatorUrl: string;
}

export function readRun(): Run {
  const file = process.env[RUN_FILE_VARIABLE] ?? '';
  const { accountId } = readJson(join(dirname(file), 'demo-account.json'));
  return { ...readJson(file), accountId };
}

function readJson(file: string): Run {
  return JSON.parse(readFileSync(file, 'utf8'));
}
