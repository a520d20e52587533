import type { EmailTemplateInput } from '@forecourt/contract/email-templates';
import type { Recipients } from './recipients.ts';
import { usedVariables } from './used-variables.ts';
import { isDealLink, isDealTable } from './variables.ts';

export function accountProblems(account: { pausedBecause: string | null } | undefined): string[] {
  if (!account)
    return ['Your mail server is not configured. Ask an administrator to set it up in Email Settings.'];
  return account.pausedBecause ? [account.pausedBecause] : [];
}

export function templateProblems(content: EmailTemplateInput): string[] {
  return content.status === 'active'
    ? []
    : [`${content.name} is a draft. Activate the template to send with it.`];
}

/** Returns why a template is unsuitable for a digest: it has no table of deals, or needs a single deal. */
export function digestProblems(content: EmailTemplateInput): string[] {
  const used = usedVariables(content);
  if (!used.some(({ linkedData }) => isDealTable(linkedData))) {
    return [
      `${content.name} has no table of deals. Add the variable to it, or send one email for each deal.`,
    ];
  }
  const single = used.filter(({ linkedData, defaultValue }) => isDealLink(linkedData) && defaultValue === '');
  if (single.length === 0) return [];
  const labels = single.map(({ key, label }) => label || key).join(', ');
  return [
    `${content.name} is about one deal: it contains ${labels}. Choose another template, or send one email for each deal.`,
  ];
}

/** Returns why a template cannot bring a statement: it needs a deal. */
export function statementProblems(content: EmailTemplateInput): string[] {
  const ofDeals = usedVariables(content).filter(
    ({ linkedData, defaultValue }) => /^deals?\./.test(linkedData ?? '') && defaultValue === '',
  );
  if (ofDeals.length === 0) return [];
  const labels = ofDeals.map(({ key, label }) => label || key).join(', ');
  return [`${content.name} is about deals: it contains ${labels}. Choose another template.`];
}

export function recipientProblems(
  dealership: { name: string; active: boolean } | undefined,
  content: EmailTemplateInput,
  { to, cc }: Recipients,
): string[] {
  if (!dealership) return ['Choose the deal or the dealership that this is about.'];
  const problems = dealership.active ? [] : [`${dealership.name} is inactive.`];
  if (to.length > 0) return problems;
  const who = cc.length > 0 ? 'only contacts in Cc' : 'no active contact';
  return [...problems, `${dealership.name} has ${who} for ${content.name}. Nobody is in To.`];
}
