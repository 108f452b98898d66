// `node bring.mjs <name> <requirements>`: prints the path of a Python that has these packages. Without a Python to make one of, it
// exits with 77.
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { bringPythonPackages } from '../../scripts/python-packages.mjs';

const NOT_RUN = 77;

const [, , name = '', requirements = ''] = argv;
const programs = bringPythonPackages(name, requirements);
if (programs === undefined) process.exitCode = NOT_RUN;
else stdout.write(join(programs, 'python'));
