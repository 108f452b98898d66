import { join } from 'node:path';
import { copyFiles, openStorage } from '@mediagate/media';
import { openConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';

/** Copies what the folder has and the bucket of the configuration file has not. */
export async function copy(session: Session): Promise<Answer> {
  const { storage } = openConfiguration(session).settings;
  if (storage.driver !== 's3')
    throw new Refusal('the configuration file keeps files in a folder: set storage.driver to s3');
  const folder = join(session.deployment.home(), 'media');
  const [from, to] = await Promise.all([
    openStorage({ driver: 'filesystem' }, folder),
    openStorage({ ...storage, readFolder: false }, folder),
  ]);
  const done = await copyFiles({ database: await session.openDatabase(), from, to });
  const { copied, there, missing, damaged, failed, firstFailure } = done;
  const lines = [
    `${copied} files copied from ${folder} to the bucket ${storage.bucket}, ${there} were there; each was read back`,
    ...missing.map((key) => `${key} is in neither`),
    ...damaged.map((key) => `${key} in the folder is not what was stored: it was not copied`),
    ...failed.map((key) => `${key} could not be copied: run the command again`),
    ...(firstFailure === undefined ? [] : [firstFailure]),
  ];
  return { json: done, text: lines.join('\n'), faulty: missing.length + damaged.length + failed.length > 0 };
}
