package io.github.fencedwrite.internal.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The six scripts that run on a node. KEYS are the lock and, where a script touches the counter, the counter and the run id
 * of one resource.
 *
 * <p>Rules that all of them keep: a node executes a script as a whole but rolls nothing back, so whatever can fail comes
 * before the lock is touched. Numbers above 2<sup>31</sup> travel as strings, since Lua's own conversion cuts them to 14
 * digits. A script that touches a counter renews its expiry; of two settings the longer wins, and 0 means for ever.
 */
public enum Script {
    /**
     * ARGV: owner, ttl, seed, run id, retention. Answers the counter as an integer, or, when another owner has the lock,
     * its remaining time (−1 if it has no expiry), a blank and the begin of the lock's value, as one string.
     */
    ACQUIRE("""
            local remaining = redis.call('pttl', KEYS[1])
            if remaining ~= -2 then
              local holder = redis.pcall('get', KEYS[1])
              return string.format('%.0f', remaining) .. ' '
                .. (type(holder) == 'string' and string.sub(holder, 1, 240) or '')
            end
            local before = redis.call('get', KEYS[2])
            if before and not sound(before) then return corrupt() end
            local expiry = redis.call('pttl', KEYS[2])
            local counter = redis.call('incr', KEYS[2])
            if not before or redis.call('get', KEYS[3]) ~= ARGV[4] then
              if counter < tonumber(ARGV[3]) then
                redis.call('set', KEYS[2], ARGV[3], 'keepttl')
                counter = tonumber(ARGV[3])
              end
              redis.call('set', KEYS[3], ARGV[4])
            end
            keep(expiry, ARGV[5])
            redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
            return counter
            """),

    /** ARGV: owner, token, retention. Answers 1 if the counter now stands at the token because of this call, else 0. */
    RAISE("""
            if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
            local before = redis.call('get', KEYS[2])
            if not before then return 0 end
            if not sound(before) then return corrupt() end
            if tonumber(before) >= tonumber(ARGV[2]) then return 0 end
            local expiry = redis.call('pttl', KEYS[2])
            redis.call('set', KEYS[2], ARGV[2], 'keepttl')
            keep(expiry, ARGV[3])
            return 1
            """),

    /** ARGV: token, retention. Answers 1 if the counter now stands at the token or above, 0 if there is none. */
    LIFT("""
            local before = redis.call('get', KEYS[2])
            if not before then return 0 end
            if not sound(before) then return corrupt() end
            local expiry = redis.call('pttl', KEYS[2])
            if tonumber(before) < tonumber(ARGV[1]) then redis.call('set', KEYS[2], ARGV[1], 'keepttl') end
            keep(expiry, ARGV[2])
            return 1
            """),

    /** ARGV: owner, remaining validity, token, retention. Answers 1 if the lock is now the owner's, else 0. */
    TOP_UP("""
            local before = redis.call('get', KEYS[2])
            if before and not sound(before) then return corrupt() end
            local taken = redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])
            if before then
              local expiry = redis.call('pttl', KEYS[2])
              if tonumber(before) < tonumber(ARGV[3]) then redis.call('set', KEYS[2], ARGV[3], 'keepttl') end
              keep(expiry, ARGV[4])
            end
            if taken or redis.call('get', KEYS[1]) == ARGV[1] then return 1 end
            return 0
            """),

    /**
     * Of one or many locks, whose keys are KEYS. ARGV: owner and ttl of each. Answers a list: 1 if the lock was the owner's
     * and has a new ttl, else 0.
     */
    EXTEND("""
            local extended = {}
            for i = 1, #KEYS do
              if redis.call('get', KEYS[i]) == ARGV[2 * i - 1] then
                extended[i] = redis.call('pexpire', KEYS[i], ARGV[2 * i])
              else
                extended[i] = 0
              end
            end
            return extended
            """),

    /**
     * ARGV: owner, channel or nothing. Answers 1 if the lock was the owner's and is gone, else 0. A user without the right
     * to publish can still release.
     */
    RELEASE("""
            if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('del', KEYS[1])
            if ARGV[2] ~= '' then redis.pcall('publish', ARGV[2], '1') end
            return 1
            """);

    private final boolean touchesCounter;
    private final String text;
    private final String sha;

    Script(String body) {
        this.touchesCounter = body.contains("KEYS[2]");
        this.text = (touchesCounter ? Functions.TEXT : "") + body;
        this.sha = sha1(text);
    }

    /** The script itself, for EVAL and SCRIPT LOAD. */
    public String text() {
        return text;
    }

    /** Whether it takes all three keys; else the lock alone. */
    boolean touchesCounter() {
        return touchesCounter;
    }

    /** The name that EVALSHA takes. */
    public String sha() {
        return sha;
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }

    /** A holder, since the constants of an enum are made before its static fields. */
    private static final class Functions {

        static final String TEXT = """
                local function sound(text)
                  return string.match(text, '^%d+$') and #text <= 16 and tonumber(text) < 9007199254740991
                end
                local function corrupt()
                  return redis.error_reply('FENCEDWRITE the counter is not a number from 0 to 2^53 - 2')
                end
                local function keep(expiry, retention)
                  if expiry == -1 or retention == '0' then
                    redis.call('persist', KEYS[2])
                    redis.call('persist', KEYS[3])
                  else
                    if expiry > tonumber(retention) then retention = string.format('%.0f', expiry) end
                    redis.call('pexpire', KEYS[2], retention)
                    redis.call('pexpire', KEYS[3], retention)
                  end
                end
                """;
    }
}
