import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPrivateKey, isHarmlessContent, isPublicPem } from "../../../src/secrets/pem.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
// Put together at run time, so that this file holds no key block itself.
const block = (label: string, body = "TUlJQg==") =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const certificate = block("CERTIFICATE");
const key = block(["PRIVATE", "KEY"].join(" "));

describe("isPublicPem", () => {
  it.each([
    ["a certificate", certificate],
    ["a bundle with comments", `# Issuer: CN=x\n\n${certificate}=====\n${certificate}`],
    ["a public key, CRLF", block("PUBLIC KEY").replaceAll("\n", "\r\n")],
    ["a CRL and parameters", block("X509 CRL") + block("DH PARAMETERS")],
  ])("accepts %s", (_, text) => expect(isPublicPem(bytes(text))).toBe(true));

  it.each([
    ["nothing", ""],
    ["no block", "hello\n"],
    ["a private key", key],
    ["an RSA key", block("RSA PRIVATE KEY")],
    ["a key behind a certificate", certificate + key],
    ["a key in lower case", certificate + key.toLowerCase()],
    ["a key with odd blanks", certificate + key.replace("-----BEGIN", "----- BEGIN")],
    ["a key with fewer dashes", certificate + key.replaceAll("-----", "----")],
    ["a key behind a lone CR", `${certificate}x\r${key}`],
    ["a key in the same line as text", `${certificate}x ${key}`],
    ["a key behind a form feed", `${certificate}\f${key}`],
    ["a key inside a certificate", certificate.replace("TUlJQg==", `TUlJQg==\n${key}`)],
    ["an unknown block", certificate + block("SOMETHING")],
    ["a block that does not end", certificate.replace(/-----END.*\n/, "")],
    ["a block that ends as another", certificate.replace("END CERTIFICATE", "END PUBLIC KEY")],
    ["an empty block", block("CERTIFICATE", "")],
    ["UTF-16", [...certificate].join("\0")],
    [
      "a header as of an encrypted key",
      certificate.replace("TUlJQg==", "Proc-Type: 4,ENCRYPTED\n\nTUlJQg=="),
    ],
  ])("refuses %s", (_, text) => expect(isPublicPem(bytes(text))).toBe(false));

  it("refuses anything into which a private key was put", () => {
    fc.assert(
      fc.property(
        fc.nat(certificate.length),
        fc.constantFrom("", "\r", "\0", " ", "-", "\ufeff"),
        (at, glue) => {
          const text = certificate.slice(0, at) + glue + key + certificate.slice(at) + certificate;
          expect(isPublicPem(bytes(text))).toBe(false);
        },
      ),
    );
  });
});

describe("hasPrivateKey", () => {
  it.each([
    key,
    key.toLowerCase(),
    `x = '${key}'`,
    [...key].join("\0"),
    block("ENCRYPTED PRIVATE KEY"),
    "PuTTY-User-Key-File-3: x",
  ])("finds %j", (text) => expect(hasPrivateKey(bytes(text))).toBe(true));
  it("passes certificates and code", () => {
    expect(hasPrivateKey(bytes(`${certificate}export const secrets = {};`))).toBe(false);
  });
  it("is what the rule for dependency folders asks", () => {
    expect(isHarmlessContent("no-private-key", bytes("module.exports = 1"))).toBe(true);
    expect(isHarmlessContent("no-private-key", bytes(key))).toBe(false);
    expect(isHarmlessContent("public-pem", bytes("module.exports = 1"))).toBe(false);
    expect(isHarmlessContent("public-pem", bytes(certificate))).toBe(true);
  });
});
