import { factQuestion } from '../vendor-call/vendor-router';
import { imageModelNames } from './generations';
import { videoModelNames } from './video-request';

/** Models that have ended stay on the list. */
const ENDED = ['seededit-3-0-i2i-250628'];

/** `GET /api/v3/models`. */
export const modelList = factQuestion(() => ({ status: 200, body: { object: 'list', data: listed() } }));

function listed() {
  const active = [...imageModelNames(), ...videoModelNames()].map((id) => ({ id, object: 'model', status: 'Active' }));
  return [...active, ...ENDED.map((id) => ({ id, object: 'model', status: 'Shutdown' }))];
}
