import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// The package imports JSON without the attribute that Node requires, because it is written for bundlers.
const hooks = registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser');
hooks.deregister();

const folder = join(import.meta.dirname, '..', '.github', 'workflows');

/** Returns the errors that GitHub would report for a workflow: wrong keys, values and expressions, with their lines. */
async function lint(name, content) {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

test.each(readdirSync(folder))('the workflow %s has no errors', async (name) => {
  expect(await lint(name, readFileSync(join(folder, name), 'utf8'))).toEqual([]);
});

test.each([
  ['a misspelled key', 'run-on: ubuntu-latest', 'steps: [{ run: npm test }]'],
  ['an unknown context', 'runs-on: ubuntu-latest', 'steps: [{ run: "echo ${{ matrixx.node }}" }]'],
  ['a step without an action', 'runs-on: ubuntu-latest', 'steps: [{ with: { node-version: 22 } }]'],
])('the linter finds %s', async (_case, ...job) => {
  const content = `on: push\njobs:\n  one:\n${job.map((line) => `    ${line}\n`).join('')}`;
  expect(await lint('seeded.yml', content)).not.toEqual([]);
});
