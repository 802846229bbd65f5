// Plain old JavaScript, so that an old Node can still say what is wrong.
if (Number.parseInt(process.version.slice(1), 10) < 24) {
  process.stderr.write(
    'Forenoon needs Node 24, which npm ci brings along. ' +
      `This is ${process.version}: when install scripts are switched off, npm rebuild node brings it.\n`,
  );
  process.exit(1);
}
