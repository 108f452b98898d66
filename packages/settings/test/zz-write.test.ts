import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorSchema } from '../src';

it('writes', () => {
  writeFileSync(
    join(__dirname, '../../../deploy/config/mediagate.schema.json'),
    `${JSON.stringify(editorSchema(), null, 2)}\n`,
  );
});
