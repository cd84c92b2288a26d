package io.github.fencedwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority of our own, and certificates that it gives to servers; made by the JDK's keytool. */
final class Certificates {

    private static final String PASSWORD = "changeit";
    private static final String AUTHORITY = "authority";

    private final Path file;

    /** A new authority, kept in {@code file}. */
    Certificates(Path file) throws IOException, InterruptedException {
        this.file = file;
        keytool("-alias", AUTHORITY, "-dname", "CN=authority", "-ext", "bc:c");
    }

    /** What a server needs to prove that it is {@code name}, for example {@code ip:127.0.0.1}. */
    SSLContext server(String name) throws IOException, InterruptedException, GeneralSecurityException {
        String alias = name.replaceAll("\\W", "-");
        keytool("-alias", alias, "-dname", "CN=" + alias, "-ext", "san=" + name, "-signer", AUTHORITY);
        KeyStore all = load();
        char[] password = PASSWORD.toCharArray();
        KeyStore own = empty();
        own.setKeyEntry(alias, all.getKey(alias, password), password, all.getCertificateChain(alias));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** Trusts this authority and no other. */
    SSLContext client() throws IOException, GeneralSecurityException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry(AUTHORITY, load().getCertificate(AUTHORITY));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private void keytool(String... details) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(details));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s%n%s", command, output).isZero();
    }
}
