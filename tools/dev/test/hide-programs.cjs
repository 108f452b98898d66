// `HIDDEN_PROGRAMS=ffmpeg,psql node --require ./hide-programs.cjs …`: for this process, no file of these names is there.
const fs = require('node:fs');
const { basename } = require('node:path');

const hidden = new Set((process.env.HIDDEN_PROGRAMS ?? '').split(','));
for (const name of ['accessSync', 'statSync']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (!hidden.has(basename(String(path)))) return original(path, ...rest);
    throw Object.assign(new Error(`ENOENT: no such file or directory, ${name} '${path}'`), { code: 'ENOENT' });
  };
}
