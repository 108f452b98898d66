// Listens on 127.0.0.1, prints its port, and lets nobody in until it gets a byte: two connections wait in its queue, and the packets that
// would open more are dropped, as one that is lost on its way is. Answers every request with {}.
const { readSync, writeSync } = require('node:fs');
const { createServer } = require('node:http');

const server = createServer((request, response) => {
  request.resume();
  response.end('{}');
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  writeSync(1, `${server.address().port}\n`);
  readSync(0, Buffer.alloc(1));
});
