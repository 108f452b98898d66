// Prints the path of a Go. Without a Python to bring one, it exits with 77.
import { join } from 'node:path';
import { bringPythonPackages } from '../../scripts/python-packages.mjs';

const NOT_RUN = 77;

const programs = bringPythonPackages('go', 'e2e/traces/requirements.txt');
if (programs === undefined) process.exitCode = NOT_RUN;
else process.stdout.write(join(programs, 'go'));
