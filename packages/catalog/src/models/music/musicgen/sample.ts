import type { MusicSource } from '@mediagate/contracts';
import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { instrumental, range, songwriting, sourceTrack, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { songwritingRequest, writtenTrack } from '../../../music/songwriting';
import { boundTrack, onTrack } from '../../../music/source-track';
import { rangeRises, rangeWithin } from '../../../music/times';

export default defineModel({
  ...musicOperation('sample', { versioned: true }),
  route: { paths: ['/v1/music/generations/sample'], summary: 'Make a track from a part of another' },
  input: fieldsOf(['task_id'], { ...sourceTrack, ...range, instrumental, version: version('v5.5'), ...songwriting }),
  ignores: writtenTrack.ignores,
  rules: [...writtenTrack.rules, rangeRises],
  ...onTrack(rangeWithin),
  media: () => [],
  request: (input) => ({
    operation: 'sample',
    ...boundTrack(input),
    ...part(input, boundTrack(input)),
    version: input.version,
    instrumental: input.instrumental,
    ...songwritingRequest(input),
  }),
  examples: [
    { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', start_s: 10, end_s: 20, gpt_description: 'A brisk march' },
    { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', tags: 'lo-fi', instrumental: true, version: 'v5' },
  ],
});

/** A bound that was left open is that of the track. */
function part({ start_s, end_s }: { start_s?: number; end_s?: number }, { source }: { source?: MusicSource }) {
  return given({ start: start_s ?? 0, end: end_s ?? source?.seconds });
}
