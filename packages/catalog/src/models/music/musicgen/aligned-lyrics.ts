import type { MusicSource } from '@mediagate/contracts';
import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack, type TrackInput } from '../../../music/source-track';
import { reject } from '../../../rules';

export default defineModel({
  ...musicOperation('aligned_lyrics'),
  route: { paths: ['/v1/music/generations/aligned-lyrics'], summary: 'Align the lyrics of a track in time' },
  input: fieldsOf(['task_id'], { ...sourceTrack }),
  ...onTrack(knownToModel),
  media: () => [],
  request: (input) => ({ operation: 'aligned_lyrics', ...boundTrack(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});

/** Words are aligned with the track that they were sung in; a vendor that gets the sound alone has none. */
function knownToModel(_: TrackInput, { trackId }: MusicSource) {
  return trackId === undefined ? reject('task_id', 'must_be_own_track') : undefined;
}
