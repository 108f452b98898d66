import { readSources } from '@mediagate/channels';
import { editorSchema } from '@mediagate/settings';
import { openConfiguration } from '../open-configuration';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** As it is shipped in `deploy/config`, with the models of this build. */
export function schema(): Answer {
  const json = editorSchema();
  return { json, text: JSON.stringify(json, undefined, 2) };
}

/** A channel may be taken out with its key once it has none. */
export async function jobs(session: Session): Promise<Answer> {
  const { path } = session.deployment.configuration();
  const { channelSources } = openConfiguration(session).settings;
  const database = await session.openDatabase();
  const sources = await readSources(database, channelSources);
  const stateOf = (id: string) => {
    const source = sources.get(id);
    return source === undefined ? 'removed' : String(source['state'] ?? 'enabled');
  };
  const counted = await database.countOpenJobs();
  const listed = counted.map(({ channelId: id, jobs: open }) => ({ id, state: stateOf(id), open_jobs: open }));
  const rows = listed.map(({ id, state, open_jobs: open }) => [id, state, String(open)]);
  const text =
    rows.length === 0 ? 'no channel has a job under way' : textTable(['CHANNEL', 'STATE', 'OPEN JOBS'], rows);
  return { json: { config: path, channels: listed }, text };
}
