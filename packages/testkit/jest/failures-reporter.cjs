// Shows the files with a failure and nothing else.
class FailuresReporter {
  onTestResult(test, result) {
    if (result.failureMessage) process.stdout.write(`FAIL  ${test.path}\n${result.failureMessage}\n`);
  }
}

module.exports = FailuresReporter;
