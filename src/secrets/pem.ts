const PUBLIC_LABELS: ReadonlySet<string> = new Set([
  "CERTIFICATE",
  "TRUSTED CERTIFICATE",
  "X509 CERTIFICATE",
  "ATTRIBUTE CERTIFICATE",
  "CERTIFICATE REQUEST",
  "NEW CERTIFICATE REQUEST",
  "X509 CRL",
  "PUBLIC KEY",
  "RSA PUBLIC KEY",
  "DSA PUBLIC KEY",
  "EC PUBLIC KEY",
  "ECDSA PUBLIC KEY",
  "SSH2 PUBLIC KEY",
  "DH PARAMETERS",
  "X9.42 DH PARAMETERS",
  "DSA PARAMETERS",
  "EC PARAMETERS",
]);

const BEGIN = /^-----BEGIN ([A-Z0-9][A-Z0-9 .]*)-----$/;
const END = /^-----END ([A-Z0-9][A-Z0-9 .]*)-----$/;
const BASE64_LINE = /^[A-Za-z0-9+/]+={0,2}$/;
/** Anything that a lenient reader could take for the mark of a block, or for the word that names a private one. */
const MARK_LIKE = /-{4,}|\bBEGIN\b|PRIVATE\s*KEY|OPENSSH|PPK/i;
const PRIVATE_KEY = /--\s{0,8}BEGIN[\s\w.]{0,60}PRIVATE\s*KEY|PuTTY-User-Key-File/i;
/** No certificate bundle in use comes near this. */
const MAX_BYTES = 16 * 1024 * 1024;

function toText(bytes: Uint8Array): string {
  // Latin-1: every byte stays one character, so that nothing is hidden by decoding. A UTF-16 file (a NUL every
  // other byte) reads as plain text once the NULs are gone.
  return new TextDecoder("latin1").decode(bytes).replaceAll("\0", "");
}

/**
 * Whether a file holds PEM blocks and all of them are public. Strict on purpose: whatever is not clearly a public
 * block with base64 in it, or a comment between blocks that resembles no mark, makes the answer no.
 */
export function isPublicPem(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MAX_BYTES || bytes.includes(0)) return false;
  let label: string | undefined;
  let body = 0;
  let blocks = 0;
  for (const line of toText(bytes).split(/\r\n|\n|\r/)) {
    const text = line.trim();
    if (label === undefined) {
      const begin = BEGIN.exec(text)?.[1];
      if (begin === undefined) {
        if (MARK_LIKE.test(text)) return false;
        continue;
      }
      if (!PUBLIC_LABELS.has(begin)) return false;
      label = begin;
      body = 0;
    } else if (END.exec(text)?.[1] === label && body > 0) {
      label = undefined;
      blocks += 1;
    } else if (BASE64_LINE.test(text)) body += 1;
    else return false;
  }
  return label === undefined && blocks > 0;
}

/** Whether a file holds anything that looks like a private key block. */
export function hasPrivateKey(bytes: Uint8Array): boolean {
  return PRIVATE_KEY.test(toText(bytes));
}

/** Whether the bytes clear a file that a name rule judges by content. */
export function isHarmlessContent(rule: "public-pem" | "no-private-key", bytes: Uint8Array): boolean {
  return rule === "public-pem" ? isPublicPem(bytes) : !hasPrivateKey(bytes);
}
