// The tour in Node and Deno. Prints what it got, as JSON.
import { env, stdout } from 'node:process';
import { tour } from './tour.mjs';

stdout.write(JSON.stringify(await tour(env.BASE_URL, env.KEY)));
