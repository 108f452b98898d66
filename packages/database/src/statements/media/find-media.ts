import type { Statement } from '../../statement';
import { MEDIA_COLUMNS, type MediaRow } from './media-row';

export const findMedia: Statement<[id: string], MediaRow> = {
  text: `select ${MEDIA_COLUMNS} from media_objects where id = $1`,
  values: (id) => [id],
};
