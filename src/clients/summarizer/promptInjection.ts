import { WIDE_SPACE } from './cleaning.ts';

/**
 * Whether a message speaks to a machine that reads along instead of to a person. Such messages are data like any
 * other; but what they ask for has no place among a day's news, so they are passed over when sentences are chosen.
 */
export function looksLikePromptInjection(text: string): boolean {
  const folded = text
    .slice(0, MAX_TEXT_LENGTH)
    .normalize('NFKC')
    .slice(0, MAX_TEXT_LENGTH)
    .toLowerCase()
    .replaceAll(WIDE_SPACE, ' ')
    .replaceAll(/\n\s+/g, '\n');
  return SIGNS.some(sign => sign.test(folded));
}

/** Characters. The messenger's limit, with room for compatibility forms of up to eighteen letters. */
const MAX_TEXT_LENGTH = 6000;

const SIGNS = [
  /(?:^|\n) ?[#*>[(<{|"'_-]{0,40} ?(?:system|assistant|developer|tool|admin)(?: (?:prompt|message|override|note|update|instruction)s?)?\s?[\])}>|]{0,40}\s?[:：]/u,
  /<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|instructions?)\b|\[\/?(?:inst|sys(?:tem)?)\]|<<sys>>/u,
  /\b(?:system prompt|prompt injection|jailbreak|developer mode|dan mode|as an ai|large language model|chatgpt|gpt-?\d)\b/u,
  // But no mail of one's own, which people also ask each other to ignore.
  /(?<!\b(?:do not|don['’]?t|never) )\b(?:ignore|disregard|forget|override|bypass|discard)\b(?:.{0,40}\b(?:instruction|prompt|rule|guideline|system|context)|(?! my\b).{0,40}\b(?:above|previous|prior|earlier message))/u,
  /\b(?:you are|act as|pretend to be|you're) (?:now |a |an |the ){0,4}(?:ai\b|assistant|bot\b|language model|summari[sz]er|dan\b|llm)/u,
  /\b(?:note|message|instructions?|attention|dear|hey|hello)\b.{0,12}(?:(?<!['’])\bai|\b(?:assistant|llm|summari[sz]er|language model|bot))\b/u,
  /\b(?:reveal|print|repeat|output|show|leak|list|dump)\b.{0,40}\b(?:prompt|instructions|other (?:chats|conversations|users|dialogs)|hidden|api key|secrets?)\b/u,
  /\b(?:in|into|to) (?:your|the) (?:summary|digest|structured|json)\b|\b(?:summary|digest) (?:must|should|shall) (?:say|be|contain|include|read)\b/u,
  /<\/?(?:messages?|conversation|transcript|data|document|prompt|context)\b[^>]{0,80}>/u,
  /["']?(?:summary|action_?items?|structured|sentiment|urgency)["']?\s?[:=]\s?["'[{]/u,
  /(?:^|\n) ?\[[^\]\n]{2,60}\]\s?:/u,
  /\bnew rule\b.{0,10}[:：]|\b(?:do not|don't|never) mention (?:this|these|the) (?:rule|instruction|message)/u,
  /\bset (?:the )?(?:urgency|sentiment|priority|owner)\b/u,
  /\b(?:ignoriere?|missachte|vergiss(?! (?:bitte |doch )?nicht\b|[^.!?,;:\n]{0,60} nicht(?:[.!?,;:\n]|$)))\b.{0,40}(?:anweisung|anleitung|regel|obige|vorherig|bisherig)/u,
  /(?<!\bn['’]|\b(?:no|não) (?:se |te )?)\b(?:ignora|olvida|descarta|ignore|esqueça|desconsidere|ignorez|oubliez?)\b.{0,40}(?:instruc|instruç|consigne|anterior|précédent|(?:regla|regra|règle)s?(?!\p{L}))/u,
  /(?:(?<!не )(?:игнорируй|проигнорируй|забудь)|не обращай).{0,40}(?:инструкц|указани|правил(?!ьн)|предыдущ|выше)/u,
  /(?<!не )(?:ігноруй|проігноруй|забудь).{0,40}(?:інструкц|вказів|правил(?!ьн)|попередн|вище)/u,
  /(?<!nie )(?:zignoruj|ignoruj|zapomnij).{0,40}(?:instrukcj|polece|zasad|poprzedni|powyżs)/u,
  /(?<!\p{L})(?:talimat|yönerge|komut|kural)\p{L}{0,12}.{0,30}(?:yok say|unut|görmezden|dikkate alma)|(?:yok say|görmezden gel)/u,
  /(?:忽略|无视|無視).{0,20}(?:指令|指示|提示|以上)|(?:指示|命令).{0,12}(?:無視|忘れ)/u,
  /(?:تجاهل|تجاهلي).{0,40}(?:التعليمات|الأوامر|السابقة)|התעלם.{0,40}(?:הוראות|קודמות)|(?:이전|위의).{0,12}(?:지시|명령).{0,8}무시/u,
];
